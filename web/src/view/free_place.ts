// Where a new solid goes: in the middle of the view, on the ground if that is where the middle is, and beside what
// stands there already.
import type { Body, Vec3 } from '../engine/messages';
import { nice } from '../util/numbers';
import { ballAround, cornersOf } from './bounds';

export function freePlace(bodies: Body[], poses: ArrayLike<number>, middle: Vec3, size: number): Vec3 {
  const grid = nice(size / 5);
  const round = (x: number) => Math.round(x / grid) * grid;
  // The corner of a ball around a cube is 0.87 of its edge away: that much room is kept on either side.
  const room = 0.87 * size;
  const place: Vec3 = [round(middle[0]), Math.max(round(middle[1]), round(size) || size), round(middle[2])];
  const taken = bodies.map((body, b) => ballAround(cornersOf(body, b, poses)));
  for (let tries = 0; tries < 40; tries++) {
    const hit = taken.some((t) => t && Math.hypot(t.centre[0] - place[0], t.centre[1] - place[1], t.centre[2] - place[2]) < 0.9 * t.radius + room);
    if (!hit) break;
    place[0] = round(place[0] + size / 2) || place[0] + size / 2;
  }
  return place.map((x) => Number(x.toFixed(6))) as Vec3;
}
