// Keeps what moves in the picture, until somebody takes the camera into his own hands: a chain that is let go level
// swings out of a view that was made for it lying there. Once taken, the camera is the user's for good.
import type { Body, Vec3 } from '../engine/messages';
import { ballAround, corners, type Ball } from './bounds';

/** What falls for ever must not take the camera along. */
const FURTHEST = 3.5;
/** Corners of a thousand solids take a millisecond: not in every frame. */
const EVERY = 5;
const MARGIN = 1.04;
/** Faces, edges and corners of a cube: the furthest point that way is remembered for each. */
const WAYS: Vec3[] = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z] as Vec3))).filter((w) => w.some((c) => c !== 0));

const distance = (p: Vec3, c: Vec3) => Math.hypot(p[0] - c[0], p[1] - c[1], p[2] - c[2]);

export class Follow {
  active = false;
  private first: Ball | null = null;
  private framed: Ball | null = null;
  private furthest: (Vec3 | null)[] = [];
  private last = 0;

  start(ball: Ball): void {
    this.active = true;
    this.first = this.framed = ball;
    this.furthest = WAYS.map(() => null);
    this.last = 0;
  }

  /** A ball to be framed now, when something has left the one that was. */
  frame(number: number, bodies: Body[], poses: ArrayLike<number>): Ball | null {
    const { first, framed } = this;
    if (number < this.last) this.last = number;
    if (!this.active || !first || !framed || number < this.last + EVERY) return null;
    this.last = number;
    const points = corners(bodies, poses).filter((p) => distance(p, first.centre) < FURTHEST * first.radius);
    WAYS.forEach((w, i) => {
      const along = (p: Vec3) => p[0] * w[0] + p[1] * w[1] + p[2] * w[2];
      for (const p of points) if (!this.furthest[i] || along(p) > along(this.furthest[i]!)) this.furthest[i] = p;
    });
    if (points.every((p) => distance(p, framed.centre) <= MARGIN * framed.radius)) return null;
    // All that has been seen stays in the picture: it is where the motion comes back to.
    const ball = ballAround(this.furthest.filter((p): p is Vec3 => p !== null));
    if (!ball) return null;
    this.framed = { centre: ball.centre, radius: Math.max(first.radius, 1.05 * ball.radius) };
    return this.framed;
  }
}
