// What a ray hits, computed from the shapes themselves: exact on round shapes whatever the level of detail, and without
// asking the graphics card.
import type { Body, Shape, Vec3 } from '../engine/messages';
import type { Pick } from '../state/store';
import { lengthOf, pointRadius } from './parts';
import { add, cross, dot, IDENTITY, rotate, sub, toBody, toWorld, unit, unrotate } from './pose';

interface Hit {
  t: number;
  normal: Vec3;
}
type Ray = { o: Vec3; d: Vec3 };

const nearest = (...hits: (Hit | null)[]): Hit | null =>
  hits.reduce((best, h) => (h && h.t > 1e-9 && (!best || h.t < best.t) ? h : best), null);

function sphere({ o, d }: Ray, c: Vec3, r: number): Hit | null {
  const m = sub(o, c);
  const a = dot(d, d), b = dot(m, d), q = b * b - a * (dot(m, m) - r * r);
  if (q < 0) return null;
  const s = Math.sqrt(q);
  const t = (-b - s) / a > 1e-9 ? (-b - s) / a : (-b + s) / a;
  return { t, normal: unit(sub(add(o, d, t), c)) };
}

function box({ o, d }: Ray, half: Vec3): Hit | null {
  let near = -Infinity, far = Infinity, axis = 0, side = 1;
  for (let i = 0; i < 3; i++) {
    if (Math.abs(d[i]) < 1e-14) {
      if (Math.abs(o[i]) > half[i]) return null;
      continue;
    }
    const s = Math.sign(d[i]);
    const t0 = (-s * half[i] - o[i]) / d[i], t1 = (s * half[i] - o[i]) / d[i];
    if (t0 > near) { near = t0; axis = i; side = -s; }
    far = Math.min(far, t1);
  }
  if (near > far || near < 1e-9) return null;
  const normal: Vec3 = [0, 0, 0];
  normal[axis] = side;
  return { t: near, normal };
}

function tube({ o, d }: Ray, r: number, h: number): Hit | null {
  const a = d[0] * d[0] + d[2] * d[2], b = o[0] * d[0] + o[2] * d[2], c = o[0] * o[0] + o[2] * o[2] - r * r;
  const q = b * b - a * c;
  if (a < 1e-14 || q < 0) return null;
  const t = (-b - Math.sqrt(q)) / a;
  const y = o[1] + t * d[1];
  if (Math.abs(y) > h / 2) return null;
  return { t, normal: unit([o[0] + t * d[0], 0, o[2] + t * d[2]]) };
}

function cap({ o, d }: Ray, r: number, y: number): Hit | null {
  if (Math.abs(d[1]) < 1e-14) return null;
  const t = (y - o[1]) / d[1];
  const x = o[0] + t * d[0], z = o[2] + t * d[2];
  return x * x + z * z <= r * r ? { t, normal: [0, Math.sign(y), 0] } : null;
}

function cone(ray: Ray, r: number, h: number): Hit | null {
  // Radius falls linearly from r at -h/2 to 0 at h/2.
  const { o, d } = ray;
  const k = r / h, y0 = h / 2 - o[1];
  const a = d[0] ** 2 + d[2] ** 2 - k * k * d[1] ** 2;
  const b = o[0] * d[0] + o[2] * d[2] + k * k * y0 * d[1];
  const c = o[0] ** 2 + o[2] ** 2 - k * k * y0 * y0;
  const q = b * b - a * c;
  let side: Hit | null = null;
  if (q >= 0 && Math.abs(a) > 1e-14) {
    for (const t of [(-b - Math.sqrt(q)) / a, (-b + Math.sqrt(q)) / a].sort((x, y) => x - y)) {
      const y = o[1] + t * d[1];
      if (t <= 1e-9 || Math.abs(y) > h / 2) continue;
      const x = o[0] + t * d[0], z = o[2] + t * d[2];
      side = { t, normal: unit([x, k * Math.hypot(x, z), z]) };
      break;
    }
  }
  return nearest(side, cap(ray, r, -h / 2));
}

function triangles({ o, d }: Ray, p: number[], index: number[]): Hit | null {
  let best: Hit | null = null;
  const at = (i: number): Vec3 => [p[3 * i], p[3 * i + 1], p[3 * i + 2]];
  for (let k = 0; k + 2 < index.length; k += 3) {
    const a = at(index[k]), e1 = sub(at(index[k + 1]), a), e2 = sub(at(index[k + 2]), a);
    const n = cross(d, e2), det = dot(e1, n);
    if (Math.abs(det) < 1e-16) continue;
    const s = sub(o, a), u = dot(s, n) / det;
    if (u < 0 || u > 1) continue;
    const w = cross(s, e1), v = dot(d, w) / det;
    if (v < 0 || u + v > 1) continue;
    const t = dot(e2, w) / det;
    if (t > 1e-9 && (!best || t < best.t)) best = { t, normal: unit(cross(e1, e2)) };
  }
  return best;
}

function shapeHit(shape: Shape, ray: Ray): Hit | null {
  const r = shape.radius ?? 0, h = lengthOf(shape);
  switch (shape.kind) {
    case 'sphere': return sphere(ray, [0, 0, 0], r);
    case 'box': {
      const s = shape.size ?? [1, 1, 1];
      return box(ray, [s[0] / 2, s[1] / 2, s[2] / 2]);
    }
    case 'cylinder': return nearest(tube(ray, r, h), cap(ray, r, h / 2), cap(ray, r, -h / 2));
    case 'cone': return cone(ray, r, h);
    case 'capsule': return nearest(tube(ray, r, h), sphere(ray, [0, h / 2, 0], r), sphere(ray, [0, -h / 2, 0], r));
    case 'ellipsoid': {
      const s = shape.radii ?? [1, 1, 1];
      const hit = sphere({ o: [ray.o[0] / s[0], ray.o[1] / s[1], ray.o[2] / s[2]], d: [ray.d[0] / s[0], ray.d[1] / s[1], ray.d[2] / s[2]] }, [0, 0, 0], 1);
      return hit && { t: hit.t, normal: unit([hit.normal[0] / s[0], hit.normal[1] / s[1], hit.normal[2] / s[2]]) };
    }
    case 'plane': {
      if (ray.d[1] >= -1e-9) return null;
      return { t: -ray.o[1] / ray.d[1], normal: [0, 1, 0] };
    }
    case 'mesh': return shape.positions && shape.indices ? triangles(ray, shape.positions, shape.indices) : null;
    default: return null;
  }
}

function inShape(shape: Shape, ray: Ray): Hit | null {
  const p = shape.pose ?? IDENTITY;
  const hit = shapeHit(shape, { o: unrotate(p, sub(ray.o, p), 3), d: unrotate(p, ray.d, 3) });
  return hit && { t: hit.t, normal: rotate(p, hit.normal, 3) };
}

/** The nearest solid on the ray, with the point in the solid's own frame. `skip` is not seen. */
export function pickBody(
  bodies: Body[], poses: ArrayLike<number>, origin: Vec3, direction: Vec3, radius: number, skip?: (b: number) => boolean,
): Pick | null {
  let best: { b: number; hit: Hit } | null = null;
  for (let b = 0; b < bodies.length && 7 * b + 7 <= poses.length; b++) {
    if (skip?.(b)) continue;
    const body = bodies[b];
    const ray = { o: toBody(poses, b, origin), d: unrotate(poses, direction, 7 * b + 3) };
    let hit: Hit | null = null;
    for (const shape of body.shapes) hit = nearest(hit, inShape(shape, ray));
    // Particles are drawn small: a ball twice as large is what a hand can hit.
    if (body.shapes.length === 0 && b > 0 && body.kind !== 'tracker') hit = sphere(ray, [0, 0, 0], 2 * pointRadius(radius));
    if (hit && hit.t > 0 && (!best || hit.t < best.hit.t)) best = { b, hit };
  }
  if (!best) return null;
  const world = add(origin, direction, best.hit.t);
  return { body: best.b, point: toBody(poses, best.b, world), normal: best.hit.normal, world };
}

/** Points one would aim at: centres, ends, middles of faces, corners – in the frame of the body. */
export function features(body: Body): Vec3[] {
  const out: Vec3[] = [[0, 0, 0]];
  for (const shape of body.shapes) {
    const p = shape.pose ?? IDENTITY;
    const put = (v: Vec3) => out.push(add(rotate(p, v, 3), p));
    const h = lengthOf(shape) / 2, s = shape.size;
    if (shape.kind !== 'plane') put([0, 0, 0]);
    if (shape.kind === 'cylinder' || shape.kind === 'capsule' || shape.kind === 'cone') { put([0, h, 0]); put([0, -h, 0]); }
    if (shape.kind === 'box' && s)
      for (let i = 0; i < 27; i++) put([((i % 3) - 1) * s[0] / 2, (Math.floor(i / 3) % 3 - 1) * s[1] / 2, (Math.floor(i / 9) - 1) * s[2] / 2]);
  }
  return out;
}

/** `point`, or the feature of the body that is nearer to it than `reach`. */
export function snapPoint(body: Body, point: Vec3, reach: number): Vec3 {
  let best = point, least = reach;
  for (const f of features(body)) {
    const d = Math.hypot(...sub(f, point));
    if (d < least) { least = d; best = f; }
  }
  return best;
}

export { toWorld };

/** The direction in which a solid is longest, in its frame: the axis that a person sees on it. */
export function longAxis(body: Body): Vec3 {
  const shape = body.shapes.find((s) => s.kind !== 'plane');
  if (!shape) return [0, 1, 0];
  const edges = shape.size ?? shape.radii;
  // Cylinders and capsules stand along y of their own frame, as short as they may be.
  const k = edges ? edges.indexOf(Math.max(...edges)) : 1;
  const axis = [0, 1, 2].map((i) => (i === k ? 1 : 0)) as Vec3;
  return shape.pose ? rotate(shape.pose, axis, 3) : axis;
}
