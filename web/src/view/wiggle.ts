// Shows a freedom that the doctor found: its solids move a little to and fro along it, then stand where they were.
import type { Vec3 } from '../engine/messages';
import { bodyIndex } from '../state/names';
import { add, axisAngle, length, multiply, rotate, sub, toWorld, type Quat } from './pose';
import type { Viewport } from './viewport';

/** Velocity of the centre of mass and angular velocity, both in the world, up to a common factor. */
export interface Motion {
  solid: string;
  v: Vec3;
  w: Vec3;
}

const SECONDS = 3;
const SWINGS = 2;
const TURN = 0.35;
const WAY = 0.12;

/** The factor that makes the motion large enough to be seen and small enough to be still the same motion. */
export function amplitude(motions: Motion[], radius: number): number {
  const turn = Math.max(...motions.map((m) => length(m.w)), 1e-9);
  const way = Math.max(...motions.map((m) => length(m.v)), 1e-9);
  return Math.min(TURN / turn, (WAY * radius) / way);
}

export function movedPose(pose: ArrayLike<number>, centre: Vec3, m: Motion, s: number): number[] {
  const w = length(m.w);
  const q: Quat = w > 0 ? axisAngle(m.w, w * s) : [0, 0, 0, 1];
  const c = toWorld(pose, 0, centre);
  const arm = rotate(q, sub([pose[0], pose[1], pose[2]], c));
  return [...add(add(c, m.v, s), arm), ...multiply(q, Array.from(pose).slice(3, 7))];
}

let running = 0;

export function wiggle(view: Viewport, motions: Motion[]): void {
  const { scene } = view;
  if (!scene || motions.length === 0) return;
  const mine = ++running;
  const bodies = motions.map((m) => ({ m, b: bodyIndex(scene, m.solid) })).filter(({ b }) => b > 0);
  const most = amplitude(motions, view.sceneRadius);
  const start = performance.now();
  const tick = (now: number) => {
    const t = (now - start) / 1000 / SECONDS;
    const over = t >= 1 || mine !== running || view.scene !== scene;
    for (const { m, b } of bodies) {
      if (over) view.overrides.delete(b);
      else view.overrides.set(b, movedPose(view.poses.subarray(7 * b, 7 * b + 7), scene.bodies[b].centre ?? [0, 0, 0], m, most * Math.sin(2 * Math.PI * SWINGS * t)));
    }
    view.place();
    // As for the preview of a joint: twenty a second are enough, and cheap to draw in software.
    if (!over) setTimeout(() => requestAnimationFrame(tick), 40);
  };
  requestAnimationFrame(tick);
}
