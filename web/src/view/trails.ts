// Where chosen points have been. A trail knows the frame of every point, so that going back in time shortens it.
import * as THREE from 'three';
import type { Vec3 } from '../engine/messages';
import { toWorld } from './pose';

const LONGEST = 1200;
const COLORS = [0xf2a65a, 0x63c7b2, 0x7db7ff, 0xd98ad0, 0xd9d36a];

interface Trail {
  body: number;
  point: Vec3;
  frames: number[];
  positions: Float32Array;
  line: THREE.Line;
}

export class Trails {
  readonly group = new THREE.Group();
  private trails: Trail[] = [];

  set(points: { body: number; point: Vec3 }[]): void {
    for (const trail of this.trails) {
      this.group.remove(trail.line);
      trail.line.geometry.dispose();
    }
    this.trails = points.map(({ body, point }, i) => {
      const positions = new Float32Array(3 * LONGEST);
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
      geometry.setDrawRange(0, 0);
      const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: COLORS[i % COLORS.length] }));
      line.frustumCulled = false;
      this.group.add(line);
      return { body, point, frames: [], positions, line };
    });
  }

  get length(): number {
    return this.trails.reduce((n, t) => n + t.frames.length, 0);
  }

  add(frame: number, poses: ArrayLike<number>): void {
    for (const trail of this.trails) {
      if (7 * trail.body + 7 > poses.length) continue;
      while (trail.frames.length > 0 && trail.frames[trail.frames.length - 1] >= frame) trail.frames.pop();
      if (trail.frames.length === LONGEST) {
        const half = LONGEST / 2;
        trail.positions.copyWithin(0, 3 * half);
        trail.frames.splice(0, half);
      }
      trail.positions.set(toWorld(poses, trail.body, trail.point), 3 * trail.frames.length);
      trail.frames.push(frame);
      trail.line.geometry.setDrawRange(0, trail.frames.length);
      trail.line.geometry.attributes.position.needsUpdate = true;
    }
  }
}
