// Where chosen points have been. A trail knows the frame of every point, so that going back in time shortens it.
import * as THREE from 'three';
import type { Vec3 } from '../engine/messages';
import { length, sub, toWorld } from './pose';

const LONGEST = 1200;
/** The same place, in single precision. */
const SAME = 1e-5;
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

  /** Points that are drawn. */
  get length(): number {
    return this.trails.reduce((n, t) => n + t.line.geometry.drawRange.count, 0);
  }

  /** Where a point was in the recording, from `first` on; shown up to frame `now`. */
  fill(body: number, point: Vec3, first: number, places: Vec3[], now: number): void {
    for (const trail of this.trails) {
      if (trail.body !== body || length(sub(trail.point, point)) > 0) continue;
      const skip = Math.max(0, places.length - LONGEST);
      trail.frames = places.slice(skip).map((_, i) => first + skip + i);
      places.slice(skip).forEach((p, i) => trail.positions.set(p, 3 * i));
      this.draw(trail, trail.frames.filter((f) => f <= now).length);
    }
  }

  add(frame: number, poses: ArrayLike<number>): void {
    for (const trail of this.trails) {
      if (7 * trail.body + 7 > poses.length) continue;
      const place = toWorld(poses, trail.body, trail.point);
      const at = trail.frames.indexOf(frame);
      // Going back and forth in the recording shows less and more of it; where it runs on differently, the rest is gone.
      if (at >= 0 && length(sub(place, Array.from(trail.positions.subarray(3 * at, 3 * at + 3)))) < SAME * (1 + length(place))) {
        this.draw(trail, at + 1);
        continue;
      }
      while (trail.frames.length > 0 && trail.frames[trail.frames.length - 1] >= frame) trail.frames.pop();
      if (trail.frames.length === LONGEST) {
        const half = LONGEST / 2;
        trail.positions.copyWithin(0, 3 * half);
        trail.frames.splice(0, half);
      }
      trail.positions.set(place, 3 * trail.frames.length);
      trail.frames.push(frame);
      this.draw(trail, trail.frames.length);
    }
  }

  private draw(trail: Trail, count: number): void {
    trail.line.geometry.setDrawRange(0, count);
    trail.line.geometry.attributes.position.needsUpdate = true;
  }
}
