// Joints as what they are, drawn over the solids they sit in: four draw calls for all of them.
import * as THREE from 'three';
import type { SceneEvent, Vec3 } from '../engine/messages';
import { glyphParts, glyphSize, type GlyphPart, type GlyphUnit } from './glyph_parts';
import { placeBatches } from './batches';

const WORST: Vec3 = [1, 0.08, 0.06];
const CHOSEN: Vec3 = [1, 1, 1];

function geometry(unit: GlyphUnit): THREE.BufferGeometry {
  switch (unit) {
    case 'sphere': return new THREE.SphereGeometry(1, 14, 8);
    case 'cylinder': return new THREE.CylinderGeometry(1, 1, 1, 12);
    case 'box': return new THREE.BoxGeometry(1, 1, 1);
    case 'torus': return new THREE.TorusGeometry(1, 0.16, 6, 24).rotateX(Math.PI / 2);
  }
}

export class Glyphs {
  readonly group = new THREE.Group();
  size = 0.02;
  private batches: { mesh: THREE.InstancedMesh; parts: GlyphPart[] }[] = [];
  private marked = '';

  /** `radius` of what is seen: a glyph is small against that. */
  build(scene: SceneEvent, radius: number): void {
    this.clear();
    this.size = glyphSize(radius, scene.joints.length);
    const parts = glyphParts(scene, this.size);
    for (const unit of ['cylinder', 'box', 'sphere', 'torus'] as GlyphUnit[]) {
      const list = parts.filter((p) => p.unit === unit);
      if (list.length === 0) continue;
      // Over everything: a joint inside a solid is the rule, and what cannot be seen cannot be clicked.
      const material = new THREE.MeshLambertMaterial({ depthTest: false, transparent: true, opacity: 0.88 });
      const mesh = new THREE.InstancedMesh(geometry(unit), material, list.length);
      mesh.frustumCulled = false;
      mesh.renderOrder = 5;
      mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
      this.batches.push({ mesh, parts: list });
      this.group.add(mesh);
    }
    this.marked = '';
    this.mark(-1, new Set());
  }

  /** The worst joint in red, chosen ones in white. */
  mark(worst: number, chosen: ReadonlySet<number>): void {
    const key = `${worst}:${[...chosen].join()}`;
    if (key === this.marked) return;
    this.marked = key;
    const color = new THREE.Color();
    for (const { mesh, parts } of this.batches) {
      parts.forEach((part, i) =>
        mesh.setColorAt(i, color.setRGB(...(chosen.has(part.joint) ? CHOSEN : part.joint === worst ? WORST : part.color))));
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  place(poses: ArrayLike<number>): void {
    placeBatches(this.batches, poses);
  }

  clear(): void {
    for (const { mesh } of this.batches) {
      this.group.remove(mesh);
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
    this.batches = [];
  }
}
