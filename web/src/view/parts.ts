// Takes the shapes of a scene apart into a few unit geometries with a placement and a scale each. A capsule cannot be
// scaled (its caps would become eggs), so it is a tube and two domes. Drawing then takes one call per geometry,
// whatever the number of solids.
import type { Body, Shape, Vec3 } from '../engine/messages';
import { IDENTITY, multiply, rotate, type Quat } from './pose';

export type Unit = 'sphere' | 'box' | 'cylinder' | 'tube' | 'dome' | 'plane' | 'cone';

export interface Part {
  /** A unit geometry, or a mesh of its own by number. */
  unit: Unit | number;
  body: number;
  position: Vec3;
  rotation: Quat;
  scale: Vec3;
}

export interface MeshData {
  positions: number[];
  indices: number[];
}

export interface Parts {
  parts: Part[];
  meshes: MeshData[];
}

const FLIP: Quat = [1, 0, 0, 0];

/** How far an unbounded plane is drawn, in radii of the scene. */
const PLANE_REACH = 14;

/** Length along y of a shape with an axis. */
export function lengthOf(shape: Shape): number {
  return shape.length ?? shape.height ?? 0;
}

export function makeParts(bodies: Body[], radius: number, only?: ReadonlySet<number>, inflate = 0): Parts {
  const out: Parts = { parts: [], meshes: [] };
  bodies.forEach((body, b) => {
    if (only && !only.has(b)) return;
    if (body.shapes.length === 0 && b > 0) addPoint(out, b, body, radius, inflate);
    for (const shape of body.shapes) addShape(out, b, shape, radius, inflate);
  });
  return out;
}

/** Particles and solids without a shape: a small ball, or nobody would see them. */
export function pointRadius(radius: number): number {
  return 0.015 * radius;
}

function addPoint(out: Parts, b: number, body: Body, radius: number, inflate: number): void {
  if (body.kind === 'tracker') return;
  const r = pointRadius(radius) + inflate;
  out.parts.push({ unit: 'sphere', body: b, position: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [r, r, r] });
}

function addShape(out: Parts, b: number, shape: Shape, radius: number, inflate: number): void {
  const pose = shape.pose ?? IDENTITY;
  const position: Vec3 = [pose[0], pose[1], pose[2]];
  const rotation: Quat = [pose[3], pose[4], pose[5], pose[6]];
  const push = (unit: Unit | number, scale: Vec3, offset: Vec3 = [0, 0, 0], turn?: Quat) => {
    const r = rotate(rotation, offset);
    out.parts.push({
      unit, body: b, scale, rotation: turn ? multiply(rotation, turn) : rotation,
      position: [position[0] + r[0], position[1] + r[1], position[2] + r[2]],
    });
  };
  const e = inflate;
  const r = (shape.radius ?? 0) + e;
  const h = lengthOf(shape);
  switch (shape.kind) {
    case 'sphere': push('sphere', [r, r, r]); break;
    case 'ellipsoid': {
      const s = shape.radii ?? [1, 1, 1];
      push('sphere', [s[0] + e, s[1] + e, s[2] + e]);
      break;
    }
    case 'box': {
      const s = shape.size ?? [1, 1, 1];
      push('box', [s[0] + 2 * e, s[1] + 2 * e, s[2] + 2 * e]);
      break;
    }
    case 'cylinder': push('cylinder', [r, h + 2 * e, r]); break;
    case 'cone': push('cone', [r, h + 2 * e, r]); break;
    case 'capsule':
      push('tube', [r, h, r]);
      push('dome', [r, r, r], [0, h / 2, 0]);
      push('dome', [r, r, r], [0, -h / 2, 0], FLIP);
      break;
    case 'plane': {
      const reach = PLANE_REACH * Math.max(radius, 1);
      if (e === 0) push('plane', [reach, 1, reach]);
      break;
    }
    case 'mesh':
      if (!shape.positions || !shape.indices) break;
      out.meshes.push({ positions: shape.positions, indices: shape.indices });
      push(out.meshes.length - 1, e > 0 ? [1.02, 1.02, 1.02] : [1, 1, 1]);
      break;
  }
}
