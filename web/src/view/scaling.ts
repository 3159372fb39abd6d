// Shapes times a factor per axis of their solid: what the gizmo shows while it is pulled, and what that is in the text.
import type { Body, Shape, Vec3 } from '../engine/messages';
import { write, writeVector } from '../util/numbers';
import { rotate } from './pose';

const AXES: Vec3[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/** The factor along the axes of a shape that is turned in its solid: whole where they agree, a mean where they do not. */
function turned(shape: Shape, factor: Vec3): Vec3 {
  if (!shape.pose) return factor;
  return AXES.map((e) => rotate(shape.pose!, e, 3).reduce((sum, a, i) => sum + a * a * factor[i], 0)) as Vec3;
}

export function scaledShape(shape: Shape, factor: Vec3): Shape {
  const f = turned(shape, factor);
  const out: Shape = { ...shape };
  if (shape.size) out.size = shape.size.map((s, i) => s * f[i]) as Vec3;
  if (shape.radii) out.radii = shape.radii.map((s, i) => s * f[i]) as Vec3;
  // What is round stays round: across its axis, or all over.
  if (shape.radius) out.radius = shape.radius * (shape.length ? Math.sqrt(f[0] * f[2]) : Math.cbrt(f[0] * f[1] * f[2]));
  if (shape.length) out.length = shape.length * f[1];
  if (shape.pose) out.pose = shape.pose.map((x, i) => (i < 3 ? x * factor[i] : x)) as Shape['pose'];
  return out;
}

export function scaleEdits(body: Body, factor: Vec3): { path: string; value: string }[] {
  const edits: { path: string; value: string }[] = [];
  const seen = new Map<string, number>();
  for (const shape of body.shapes) {
    const n = (seen.get(shape.kind) ?? 0) + 1;
    seen.set(shape.kind, n);
    const path = `${body.name}.${shape.kind}${n > 1 ? `#${n}` : ''}`;
    const to = scaledShape(shape, factor);
    if (to.size) edits.push({ path: `${path}.size`, value: writeVector(to.size) });
    if (to.radii) edits.push({ path: `${path}.radii`, value: writeVector(to.radii) });
    if (to.radius) edits.push({ path: `${path}.radius`, value: write(to.radius) });
    if (to.length) edits.push({ path: `${path}.length`, value: write(to.length) });
    if (shape.pose?.slice(0, 3).some((x) => Math.abs(x) > 1e-9)) edits.push({ path: `${path}.at`, value: writeVector(to.pose!.slice(0, 3)) });
  }
  return edits;
}
