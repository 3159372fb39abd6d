// Limits of joints as lines: an arc for a turn, a cone for a swing, a segment for a slide, circles for a distance.
// Points are computed once in the frame of the joint's second body and carried along with it every frame.
import * as THREE from 'three';
import type { Joint, Limit, SceneEvent, Vec3 } from '../engine/messages';
import { bodyOf } from '../state/names';
import { across, add, cross, rotate, axisAngle, toWorld, unit, dot } from './pose';

/** All joints' limits are drawn up to so many joints; beyond that only those of chosen ones. */
export const ALL_LIMITS = 60;

const finite = (x: number | null | undefined): x is number => typeof x === 'number' && Number.isFinite(x) && Math.abs(x) < 1e6;

/** Pairs of points, in the frame of body 2. */
export function limitLines(joint: Joint, limit: Limit, size: number): Vec3[] {
  const out: Vec3[] = [];
  const o = joint.p2;
  const axis = unit(joint.axis2 ?? [0, 1, 0]);
  let zero = joint.across2 ? unit(joint.across2) : across(axis);
  zero = unit(add(zero, axis, -dot(zero, axis)));
  const r = 6 * size;
  const line = (a: Vec3, b: Vec3) => out.push(a, b);
  const arc = (centre: Vec3, about: Vec3, from: Vec3, a: number, b: number, radius: number) => {
    const n = Math.max(2, Math.ceil(Math.abs(b - a) / 0.15));
    let last: Vec3 | null = null;
    for (let i = 0; i <= n; i++) {
      const p = add(centre, rotate(axisAngle(about, a + ((b - a) * i) / n), from), radius);
      if (last) line(last, p);
      last = p;
    }
  };
  const { min, max } = limit;
  // Both bounds at one place hold something fast: that is what the joint is, not how far it may go.
  if (finite(min) && finite(max) && Math.abs(max - min) < 1e-9) return out;
  if (limit.freedom.startsWith('slide')) {
    if (!finite(min) && !finite(max)) return out;
    const direction = limit.freedom === 'slide2' ? cross(axis, zero) : limit.freedom === 'slide1' || limit.freedom === 'slide3' ? zero : axis;
    const a = add(o, direction, finite(min) ? min : -10 * size), b = add(o, direction, finite(max) ? max : 10 * size);
    line(a, b);
    for (const [end, known] of [[a, finite(min)], [b, finite(max)]] as [Vec3, boolean][])
      if (known) for (const side of [zero, cross(axis, zero)]) line(add(end, side, -1.2 * size), add(end, side, 1.2 * size));
  } else if (limit.freedom === 'swing') {
    for (const a of [min, max]) {
      if (!finite(a) || a <= 1e-6 || a >= Math.PI - 1e-6) continue;
      const rim = add(o, axis, r * Math.cos(a));
      arc(rim, axis, zero, 0, 2 * Math.PI, r * Math.sin(a));
      for (let i = 0; i < 8; i++)
        line(o, add(rim, rotate(axisAngle(axis, (i * Math.PI) / 4), zero), r * Math.sin(a)));
    }
  } else if (limit.freedom === 'distance') {
    const normal = axis;
    for (const d of [min, max]) {
      if (!finite(d) || d <= 0) continue;
      arc(o, normal, zero, 0, 2 * Math.PI, d);
      if (limit.kind === 'sphere') {
        arc(o, zero, axis, 0, 2 * Math.PI, d);
        arc(o, cross(axis, zero), axis, 0, 2 * Math.PI, d);
      }
    }
  } else if (finite(min) || finite(max)) {
    const a = finite(min) ? min : -Math.PI, b = finite(max) ? max : Math.PI;
    if (b - a < 1e-6) return out;
    arc(o, axis, zero, a, b, r);
    line(o, add(o, rotate(axisAngle(axis, a), zero), r));
    line(o, add(o, rotate(axisAngle(axis, b), zero), r));
  }
  return out;
}

export class Limits {
  readonly lines: THREE.LineSegments;
  private points: { body: number; point: Vec3 }[] = [];
  private positions = new Float32Array(0);

  constructor() {
    this.lines = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: 0xf2c46d, transparent: true, opacity: 0.75, depthTest: false }),
    );
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 6;
  }

  build(scene: SceneEvent, size: number, chosen: ReadonlySet<number>): void {
    this.points = [];
    const all = scene.joints.length <= ALL_LIMITS;
    scene.joints.forEach((joint, j) => {
      if (joint.drag || (!all && !chosen.has(j))) return;
      const body = bodyOf(scene, joint.body2);
      for (const limit of joint.limits ?? [])
        for (const point of limitLines(joint, limit, size)) this.points.push({ body, point });
    });
    this.positions = new Float32Array(3 * this.points.length);
    this.lines.geometry.dispose();
    this.lines.geometry = new THREE.BufferGeometry();
    this.lines.geometry.setAttribute('position', new THREE.BufferAttribute(this.positions, 3));
  }

  place(poses: ArrayLike<number>): void {
    if (this.points.length === 0) return;
    this.points.forEach(({ body, point }, i) => {
      if (7 * body + 7 <= poses.length) this.positions.set(toWorld(poses, body, point), 3 * i);
    });
    this.lines.geometry.attributes.position.needsUpdate = true;
  }
}
