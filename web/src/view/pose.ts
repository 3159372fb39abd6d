// Rotations and placements on plain arrays. The view's inner loop places thousands of parts per frame: no objects there.
import type { PoseArray, Vec3 } from '../engine/messages';

export type Quat = [number, number, number, number];

/** q v q⁻¹ for a unit quaternion (x y z w). */
export function rotate(q: ArrayLike<number>, v: ArrayLike<number>, at = 0): Vec3 {
  const x = q[at], y = q[at + 1], z = q[at + 2], w = q[at + 3];
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

export function unrotate(q: ArrayLike<number>, v: ArrayLike<number>, at = 0): Vec3 {
  return rotate([-q[at], -q[at + 1], -q[at + 2], q[at + 3]], v);
}

/** A point of body `b` in the world; `poses` has seven floats per body. */
export function toWorld(poses: ArrayLike<number>, b: number, p: ArrayLike<number>): Vec3 {
  const o = 7 * b;
  const r = rotate(poses, p, o + 3);
  return [r[0] + poses[o], r[1] + poses[o + 1], r[2] + poses[o + 2]];
}

export function toBody(poses: ArrayLike<number>, b: number, p: ArrayLike<number>): Vec3 {
  const o = 7 * b;
  return unrotate(poses, [p[0] - poses[o], p[1] - poses[o + 1], p[2] - poses[o + 2]], o + 3);
}

export function directionToWorld(poses: ArrayLike<number>, b: number, d: ArrayLike<number>): Vec3 {
  return rotate(poses, d, 7 * b + 3);
}

export function multiply(a: ArrayLike<number>, b: ArrayLike<number>): Quat {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

/** The shortest turn that takes +y to a direction: shapes with an axis are modelled along y. */
export function fromY(d: ArrayLike<number>): Quat {
  const n = Math.hypot(d[0], d[1], d[2]) || 1;
  const x = d[0] / n, y = d[1] / n, z = d[2] / n;
  if (y < -0.999999) return [1, 0, 0, 0];
  const w = 1 + y;
  const s = 1 / Math.sqrt(w * w + z * z + x * x);
  return [z * s, 0, -x * s, w * s];
}

export function axisAngle(axis: ArrayLike<number>, angle: number): Quat {
  const n = Math.hypot(axis[0], axis[1], axis[2]) || 1;
  const s = Math.sin(angle / 2) / n;
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

export const add = (a: ArrayLike<number>, b: ArrayLike<number>, k = 1): Vec3 => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
export const sub = (a: ArrayLike<number>, b: ArrayLike<number>): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: ArrayLike<number>, b: ArrayLike<number>): Vec3 =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a: ArrayLike<number>): number => Math.hypot(a[0], a[1], a[2]);
export function unit(a: ArrayLike<number>): Vec3 {
  const n = length(a) || 1;
  return [a[0] / n, a[1] / n, a[2] / n];
}
/** Some unit vector across `a`. */
export function across(a: ArrayLike<number>): Vec3 {
  const u = unit(a);
  return unit(cross(u, Math.abs(u[1]) < 0.9 ? [0, 1, 0] : [0, 0, 1]));
}

export const IDENTITY: PoseArray = [0, 0, 0, 0, 0, 0, 1];

/**
 * Writes the matrix of body pose × (position, rotation, scale) into `out` at `o`, column by column.
 * Everything a part needs per frame, in one place and without allocation.
 */
export function composeMatrix(
  out: Float32Array, o: number, poses: ArrayLike<number>, b: number,
  p: ArrayLike<number>, q: ArrayLike<number>, s: ArrayLike<number>,
): void {
  const k = 7 * b;
  const ax = poses[k + 3], ay = poses[k + 4], az = poses[k + 5], aw = poses[k + 6];
  const bx = q[0], by = q[1], bz = q[2], bw = q[3];
  const x = aw * bx + ax * bw + ay * bz - az * by;
  const y = aw * by - ax * bz + ay * bw + az * bx;
  const z = aw * bz + ax * by - ay * bx + az * bw;
  const w = aw * bw - ax * bx - ay * by - az * bz;
  const tx = 2 * (ay * p[2] - az * p[1]), ty = 2 * (az * p[0] - ax * p[2]), tz = 2 * (ax * p[1] - ay * p[0]);
  const sx = s[0], sy = s[1], sz = s[2];
  out[o] = (1 - 2 * (y * y + z * z)) * sx;
  out[o + 1] = 2 * (x * y + z * w) * sx;
  out[o + 2] = 2 * (x * z - y * w) * sx;
  out[o + 3] = 0;
  out[o + 4] = 2 * (x * y - z * w) * sy;
  out[o + 5] = (1 - 2 * (x * x + z * z)) * sy;
  out[o + 6] = 2 * (y * z + x * w) * sy;
  out[o + 7] = 0;
  out[o + 8] = 2 * (x * z + y * w) * sz;
  out[o + 9] = 2 * (y * z - x * w) * sz;
  out[o + 10] = (1 - 2 * (x * x + y * y)) * sz;
  out[o + 11] = 0;
  out[o + 12] = p[0] + aw * tx + ay * tz - az * ty + poses[k];
  out[o + 13] = p[1] + aw * ty + az * tx - ax * tz + poses[k + 1];
  out[o + 14] = p[2] + aw * tz + ax * ty - ay * tx + poses[k + 2];
  out[o + 15] = 1;
}
