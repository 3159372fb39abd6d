// How far ahead of a solid its target may run. A drag is a constraint like any other: held to a place that cannot be
// reached it would tear the joints and cost the solver every iteration it has. So the target goes at most a leash
// ahead of the point, and the leash shortens while the joints do not hold.
import type { Vec3 } from '../engine/messages';
import { add, length, sub } from './pose';

/** In radii of the scene. At sixty frames a second the point still follows at nine radii per second. */
const LONGEST = 0.15;
const SHORTEST = 2e-4;
const TORN = 5e-4;

export class Leash {
  private long: number;

  constructor(private readonly radius: number) {
    this.long = LONGEST * radius;
  }

  /** After every frame, with its worst gap. */
  frame(gap: number): void {
    if (gap > TORN * this.radius) this.long = Math.max(SHORTEST * this.radius, 0.5 * this.long);
    else this.long = Math.min(LONGEST * this.radius, 1.25 * this.long);
  }

  /** Where the target may be, for a point that is here and a hand that is there. */
  target(point: Vec3, wish: Vec3): Vec3 {
    const d = sub(wish, point);
    const far = length(d);
    return far <= this.long ? wish : add(point, d, this.long / far);
  }
}
