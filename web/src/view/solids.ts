// A layer of solids: one instanced mesh per unit geometry, placed by the poses of a frame.
import * as THREE from 'three';
import type { Body } from '../engine/messages';
import { meshGeometry, unitGeometry } from './geometry';
import { BANDED, floorMaterial, HATCHED, PLAIN } from './materials';
import { makeParts, type Part, type Parts } from './parts';
import { placeBatches } from './batches';

interface Batch {
  mesh: THREE.InstancedMesh;
  parts: Part[];
}

export class SolidsLayer {
  readonly group = new THREE.Group();
  private batches: Batch[] = [];
  private parts: Parts = { parts: [], meshes: [] };
  private bodies: Body[] = [];
  private readonly floor = floorMaterial();
  private outlined = false;

  constructor(private material: THREE.Material, private readonly shadows: boolean, private level = 0) {}

  /** New solids. `only` and `inflate` are for outlines: some bodies, slightly larger. */
  build(bodies: Body[], radius: number, only?: ReadonlySet<number>, inflate = 0): void {
    this.bodies = bodies;
    this.outlined = inflate > 0;
    this.parts = makeParts(bodies, radius, only, inflate);
    this.rebuild();
  }

  setLevel(level: number): void {
    if (level === this.level) return;
    this.level = level;
    this.rebuild();
  }

  setMaterial(material: THREE.Material): void {
    this.material = material;
    for (const batch of this.batches) if (batch.mesh.material !== this.floor) batch.mesh.material = material;
  }

  get count(): number {
    return this.parts.parts.length;
  }

  private rebuild(): void {
    this.clear();
    const byUnit = new Map<Part['unit'], Part[]>();
    for (const part of this.parts.parts) {
      const list = byUnit.get(part.unit);
      if (list) list.push(part);
      else byUnit.set(part.unit, [part]);
    }
    for (const [unit, parts] of byUnit) {
      const geometry = typeof unit === 'number' ? meshGeometry(this.parts.meshes[unit]) : unitGeometry(unit, this.level);
      const mesh = new THREE.InstancedMesh(geometry, unit === 'plane' && this.shadows ? this.floor : this.material, parts.length);
      if (unit === 'plane') mesh.renderOrder = -1;
      mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
      mesh.frustumCulled = false;  // its box would have to follow every frame
      mesh.castShadow = this.shadows && unit !== 'plane';
      mesh.receiveShadow = this.shadows;
      const pattern = new Float32Array(parts.length);
      const color = new THREE.Color();
      parts.forEach((part, i) => {
        const body = this.bodies[part.body];
        pattern[i] = unit === 'plane' ? PLAIN : body.kind === 'fixed' ? HATCHED : body.kind === 'path' ? BANDED : PLAIN;
        // An outline has its own colour: times that of a dark solid it would not be seen.
        if (this.outlined) mesh.setColorAt(i, color.setRGB(1, 1, 1));
        else mesh.setColorAt(i, color.setRGB(...body.color));
      });
      geometry.setAttribute('pattern', new THREE.InstancedBufferAttribute(pattern, 1));
      this.batches.push({ mesh, parts });
      this.group.add(mesh);
    }
  }

  place(poses: ArrayLike<number>): void {
    placeBatches(this.batches, poses);
  }

  clear(): void {
    for (const { mesh } of this.batches) {
      this.group.remove(mesh);
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.batches = [];
  }
}
