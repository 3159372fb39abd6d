// What is drawn many times at once: one mesh, an instance for each part, each fixed to a body.
import type * as THREE from 'three';
import { composeMatrix } from './pose';

interface Placed {
  body: number;
  position: ArrayLike<number>;
  rotation: ArrayLike<number>;
  scale: ArrayLike<number>;
}

/** Moves every instance to where its body is. Parts of bodies that the poses do not have stay. */
export function placeBatches(batches: readonly { mesh: THREE.InstancedMesh; parts: readonly Placed[] }[], poses: ArrayLike<number>): void {
  for (const { mesh, parts } of batches) {
    const matrices = mesh.instanceMatrix.array as Float32Array;
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i];
      if (7 * part.body + 7 > poses.length) continue;
      composeMatrix(matrices, 16 * i, poses, part.body, part.position, part.rotation, part.scale);
    }
    mesh.instanceMatrix.needsUpdate = true;
  }
}
