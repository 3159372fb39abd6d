// Text of new things, as somebody would have written it by hand.
import type { Vec3 } from '../engine/messages';
import { write, writeVector } from '../util/numbers';

export type SolidKind = 'box' | 'sphere' | 'cylinder' | 'capsule' | 'ellipsoid' | 'particle' | 'floor';

/** Muted, and far enough from one another: neighbours that were added in a row are told apart. */
const COLORS = ['0.86 0.49 0.32', '0.36 0.58 0.79', '0.89 0.74 0.36', '0.45 0.69 0.53', '0.66 0.54 0.78', '0.80 0.80 0.78'];

/** `count`: how many there are already; it chooses the colour. */
export function solidBlock(kind: SolidKind, name: string, size: number, at: Vec3, count = 0): string {
  const color = COLORS[count % COLORS.length];
  const s = write(size), half = write(size / 2), third = write(size / 4);
  const shape: Record<Exclude<SolidKind, 'particle' | 'floor'>, string> = {
    box: `box size ${s} ${s} ${s};`,
    sphere: `sphere radius ${half};`,
    cylinder: `cylinder radius ${half} length ${s};`,
    capsule: `capsule radius ${third} length ${s};`,
    ellipsoid: `ellipsoid radii ${s} ${half} ${half};`,
  };
  if (kind === 'particle') return `particle ${name}\n  mass 1;\n  at ${writeVector(at)};\n  color ${color};\nend\n`;
  if (kind === 'floor') return `object ${name}\n  fixed;\n  plane;\n  contact friction 0.5 restitution 0.2;\n  color 0.45 0.48 0.52;\nend\n`;
  return `object ${name}\n  ${shape[kind]}\n  at ${writeVector(at)};\n  color ${color};\nend\n`;
}

export interface JointDraft {
  name: string;
  type: string;
  object1: string;
  object2: string;
  p1: Vec3;
  p2: Vec3;
  /** In the frame of object 1 and of object 2. */
  axis1: Vec3;
  axis2: Vec3;
  pitch?: number;
}

export function jointBlock(d: JointDraft): string {
  const lines = [`  type ${d.type};`];
  if (d.object1 !== 'world') lines.push(`  object1 ${d.object1};`);
  if (d.object2 !== 'world') lines.push(`  object2 ${d.object2};`);
  lines.push(`  at ${writeVector(d.p1)}  ${writeVector(d.p2)};`);
  if (d.type !== 'ball') lines.push(`  axis ${writeVector(d.axis1, 4)}  ${writeVector(d.axis2, 4)};`);
  if (d.type === 'screw') lines.push(`  pitch ${write(d.pitch ?? 0.05)};`);
  return `joint ${d.name}\n${lines.join('\n')}\nend\n`;
}

/** What each joint leaves free, from docs/joints.md. */
export const JOINT_TYPES: { type: string; turns: string[]; slides: string[]; what: string }[] = [
  { type: 'ball', turns: ['any turn'], slides: [], what: 'turns as it likes about a point' },
  { type: 'pin', turns: ['turn'], slides: [], what: 'turns about its axis' },
  { type: 'sliding', turns: [], slides: ['slide'], what: 'slides along its axis' },
  { type: 'cylindrical', turns: ['turn'], slides: ['slide'], what: 'turns about its axis and slides along it' },
  { type: 'screw', turns: ['turn'], slides: ['slide, coupled'], what: 'slides by the pitch in every turn' },
  { type: 'universal', turns: ['turn1', 'turn2'], slides: [], what: 'turns about the two arms of a cross' },
  { type: 'plane_on_plane', turns: ['turn'], slides: ['slide1', 'slide2'], what: 'two planes stay on each other' },
  { type: 'ball_in_cylinder', turns: ['any turn'], slides: ['slide'], what: 'a point slides along the axis' },
  { type: 'ball_on_plane', turns: ['any turn'], slides: ['slide1', 'slide2'], what: 'a point stays in a plane' },
  { type: 'cylinder_on_plane', turns: ['turn', 'roll'], slides: ['slide1', 'slide2'], what: 'a cylinder stays on a plane' },
  { type: 'embedding', turns: [], slides: [], what: 'holds both as one' },
];
