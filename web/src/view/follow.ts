// Keeps what moves in the picture, until somebody takes the camera into his own hands: a chain that is let go level
// swings out of a view that was made for it lying there. Once taken, the camera is the user's for good.
import type { Body, Vec3 } from '../engine/messages';
import { ballAround, corners, type Ball } from './bounds';

/** What falls for ever must not take the camera along. */
const FURTHEST = 3.5;
/** Corners of a thousand solids take a millisecond: not in every frame. */
const EVERY = 5;
const MARGIN = 1.04;

export class Follow {
  active = false;
  private first: Ball | null = null;
  private framed: Ball | null = null;
  private last = 0;

  start(ball: Ball): void {
    this.active = true;
    this.first = this.framed = ball;
    this.last = 0;
  }

  /** A ball to be framed now, when something has left the one that was. */
  frame(number: number, bodies: Body[], poses: ArrayLike<number>): Ball | null {
    if (!this.active || !this.first || !this.framed || number < this.last + EVERY) {
      if (number < this.last) this.last = number;
      return null;
    }
    this.last = number;
    const { centre, radius } = this.first;
    const near = corners(bodies, poses).filter((p) => Math.hypot(p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]) < FURTHEST * radius);
    const out = this.framed;
    const left = near.filter((p) => Math.hypot(p[0] - out.centre[0], p[1] - out.centre[1], p[2] - out.centre[2]) > MARGIN * out.radius);
    if (left.length === 0) return null;
    // All around the old ball stays in the picture: it is where the motion comes back to.
    const hull: Vec3[] = [0, 1, 2].flatMap((i) => [-1, 1].map((s) => out.centre.map((x, k) => (k === i ? x + s * out.radius : x)) as Vec3));
    const ball = ballAround([...hull, ...left])!;
    this.framed = { centre: ball.centre, radius: ball.radius * 1.06 };
    return this.framed;
  }
}
