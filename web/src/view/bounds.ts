// How much room the solids of a frame take: for the camera. Tighter than the size that the scene event has, which knows
// only how far each solid reaches from its centre and so makes a long thin base a ball.
import type { Body, Shape, Vec3 } from '../engine/messages';
import { toWorld } from './pose';

export interface Ball {
  centre: Vec3;
  radius: number;
}

const halves = new WeakMap<Shape, { centre: Vec3; half: Vec3 } | null>();

/** Box of a shape in its own frame; nothing for what has no end. */
function boxOf(shape: Shape): { centre: Vec3; half: Vec3 } | null {
  let box = halves.get(shape);
  if (box !== undefined) return box;
  const r = shape.radius ?? 0, l = (shape.length ?? shape.height ?? 0) / 2;
  box = { centre: [0, 0, 0], half: [r, r, r] };
  if (shape.kind === 'plane') box = null;
  else if (shape.size) box.half = shape.size.map((s) => s / 2) as Vec3;
  else if (shape.radii) box.half = shape.radii;
  else if (shape.kind === 'capsule') box.half = [r, l + r, r];
  else if (shape.kind === 'cylinder') box.half = [r, l, r];
  else if (shape.positions?.length) {
    const low: Vec3 = [Infinity, Infinity, Infinity], high: Vec3 = [-Infinity, -Infinity, -Infinity];
    shape.positions.forEach((x, i) => { low[i % 3] = Math.min(low[i % 3], x); high[i % 3] = Math.max(high[i % 3], x); });
    box = { centre: low.map((x, i) => (x + high[i]) / 2) as Vec3, half: low.map((x, i) => (high[i] - x) / 2) as Vec3 };
  }
  halves.set(shape, box);
  return box;
}

/** Corners of a solid in the world; a point has one, a floor none. */
export function cornersOf(body: Body, b: number, poses: ArrayLike<number>): Vec3[] {
  const o = 7 * b;
  if (b === 0 || body.kind === 'tracker' || o + 7 > poses.length || !Number.isFinite(poses[o])) return [];
  if (body.shapes.length === 0) return [toWorld(poses, b, [0, 0, 0])];
  const out: Vec3[] = [];
  for (const shape of body.shapes) {
    const box = boxOf(shape);
    if (!box) continue;
    for (let k = 0; k < 8; k++) {
      const p = [1, 2, 4].map((bit, i) => box.centre[i] + (k & bit ? box.half[i] : -box.half[i])) as Vec3;
      out.push(toWorld(poses, b, shape.pose ? toWorld(shape.pose, 0, p) : p));
    }
  }
  return out;
}

/** Corners of all solids; floors and what is only told apart by a name are left out. */
export function corners(bodies: Body[], poses: ArrayLike<number>): Vec3[] {
  return bodies.flatMap((body, b) => cornersOf(body, b, poses));
}

export function ballAround(points: Vec3[]): Ball | null {
  if (points.length === 0) return null;
  const low: Vec3 = [Infinity, Infinity, Infinity], high: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (const p of points) for (let i = 0; i < 3; i++) { low[i] = Math.min(low[i], p[i]); high[i] = Math.max(high[i], p[i]); }
  const centre = low.map((x, i) => (x + high[i]) / 2) as Vec3;
  const radius = Math.sqrt(points.reduce((r, p) => Math.max(r, (p[0] - centre[0]) ** 2 + (p[1] - centre[1]) ** 2 + (p[2] - centre[2]) ** 2), 0));
  return { centre, radius };
}
