// How far ahead of a solid its target may run. A drag is a constraint like any other: held to a place that cannot be
// reached it would tear the joints and cost the solver every iteration it has. So the target goes at most a leash
// ahead of the point; when the joints do not hold, it goes back to where they last did, and the leash is shortened.
import type { Vec3 } from '../engine/messages';
import { add, length, sub } from './pose';

/** In radii of the scene. At sixty frames a second the point still follows at nine radii per second. */
const LONGEST = 0.15;
const SHORTEST = 2e-4;
const TORN = 5e-4;

export class Leash {
  private long: number;
  /** Where the point was when the joints last held; nothing while they hold. */
  private back: Vec3 | null = null;
  private held: Vec3 | null = null;

  constructor(private readonly radius: number) {
    this.long = LONGEST * radius;
  }

  /** After every frame, with its worst gap and where the point has come to. */
  frame(gap: number, point: Vec3): void {
    if (gap > TORN * this.radius) {
      this.long = Math.max(SHORTEST * this.radius, 0.4 * this.long);
      this.back = this.held;
    } else {
      this.long = Math.min(LONGEST * this.radius, 1.15 * this.long);
      this.held = point;
      this.back = null;
    }
  }

  /** Where the target may be, for a point that is here and a hand that is there. */
  target(point: Vec3, wish: Vec3): Vec3 {
    if (this.back) return this.back;
    const d = sub(wish, point);
    const far = length(d);
    return far <= this.long ? wish : add(point, d, this.long / far);
  }
}
