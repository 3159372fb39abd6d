// What each kind of joint looks like, as parts of four unit geometries: what turns is amber, what slides teal, what
// does both or anything blue, what holds fast grey.
import type { Joint, SceneEvent, Vec3 } from '../engine/messages';
import { bodyOf } from '../state/names';
import { across, fromY, unit, type Quat } from './pose';

export type GlyphUnit = 'sphere' | 'cylinder' | 'box' | 'torus';

export interface GlyphPart {
  unit: GlyphUnit;
  joint: number;
  body: number;
  position: Vec3;
  rotation: Quat;
  scale: Vec3;
  color: Vec3;
}

const TURN: Vec3 = [0.93, 0.5, 0.12];
const SLIDE: Vec3 = [0.1, 0.62, 0.5];
const BALL: Vec3 = [0.16, 0.42, 0.95];
const FAST: Vec3 = [0.45, 0.47, 0.5];

/** Which of the drawn kinds a joint is; bare constraints by what their limits say. */
export function glyphKind(joint: Joint): string {
  switch (joint.kind) {
    case 'revolute': return 'pin';
    case 'sliding': case 'prismatic': return 'slider';
    case 'spherical': return 'ball';
    case 'embedding': return 'weld';
    case 'helical': return 'screw';
    case 'plane_on_plane': return 'planar';
    case 'ball_in_cylinder': return 'slider';
    case 'ball_on_plane': return 'ring';
    case 'cylinder_on_plane': return 'planar';
    case 'constraint': {
      const limits = joint.limits ?? [];
      if (limits.some((l) => l.freedom === 'slide')) return 'slider';
      if (limits.some((l) => l.freedom === 'distance')) return 'ring';
      if (limits.some((l) => l.freedom === 'swing' && l.max === 0)) return 'pin';
      return 'ball';
    }
    default: return joint.kind;
  }
}

/** Radius of the glyph in metres: small against the scene, and against the solids it sits in. */
export function glyphSize(radius: number, count: number): number {
  return radius * (count > 300 ? 0.005 : count > 60 ? 0.0075 : count > 12 ? 0.015 : 0.02);
}

export function glyphParts(scene: SceneEvent, size: number): GlyphPart[] {
  const out: GlyphPart[] = [];
  scene.joints.forEach((joint, j) => {
    if (joint.drag) return;
    const kind = glyphKind(joint);
    const one = bodyOf(scene, joint.body1), two = bodyOf(scene, joint.body2);
    const axis2 = unit(joint.axis2 ?? [0, 1, 0]);
    const along = fromY(axis2);
    const put = (u: GlyphUnit, body: number, position: Vec3, rotation: Quat, scale: Vec3, color: Vec3) =>
      out.push({ unit: u, joint: j, body, position, rotation, scale: [scale[0] * size, scale[1] * size, scale[2] * size], color });
    const here = joint.p2, there = joint.p1;
    switch (kind) {
      case 'pin':
        put('cylinder', two, here, along, [0.42, 3.2, 0.42], TURN);
        put('torus', two, here, along, [1.15, 1.15, 1.15], TURN);
        break;
      case 'slider':
        put('cylinder', two, here, along, [0.2, 6, 0.2], SLIDE);
        put('box', one, there, fromY(unit(joint.axis1 ?? joint.axis2 ?? [0, 1, 0])), [1.3, 1.9, 1.3], SLIDE);
        break;
      case 'ring':
        put('torus', two, here, along, [1.6, 1.6, 1.6], SLIDE);
        put('sphere', one, there, along, [0.7, 0.7, 0.7], BALL);
        break;
      case 'cylindrical': case 'screw':
        put('cylinder', two, here, along, [0.35, 5, 0.35], kind === 'screw' ? TURN : SLIDE);
        put('torus', one, there, fromY(unit(joint.axis1 ?? joint.axis2 ?? [0, 1, 0])), [1.1, 2.2, 1.1], TURN);
        break;
      case 'universal': {
        const second = unit(joint.across2 ?? across(axis2));
        put('cylinder', two, here, along, [0.38, 2.8, 0.38], TURN);
        put('cylinder', two, here, fromY(second), [0.38, 2.8, 0.38], TURN);
        break;
      }
      case 'planar': put('box', two, here, along, [3.2, 0.16, 3.2], SLIDE); break;
      case 'weld': put('box', two, here, along, [1.3, 1.3, 1.3], FAST); break;
      case 'flying': break;
      default:
        put('sphere', two, here, along, [0.9, 0.9, 0.9], BALL);
    }
  });
  return out;
}
