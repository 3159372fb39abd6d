// The room that solids take, the camera that follows them, and the place for a new one.
import { describe, expect, it } from 'vitest';
import type { Body, Vec3 } from '../src/engine/messages';
import { ballAround, corners } from '../src/view/bounds';
import { Follow } from '../src/view/follow';
import { freePlace } from '../src/view/free_place';
import { longAxis } from '../src/view/pick';

const body = (shapes: Body['shapes'], kind: Body['kind'] = 'dynamic'): Body => ({ name: 'b', kind, color: [1, 1, 1], shapes, line: 1 });
const world = body([], 'fixed');
const at = (...places: Vec3[]) => [0, 0, 0, 0, 0, 0, 1, ...places.flatMap((p) => [...p, 0, 0, 0, 1])];

describe('bounds', () => {
  it('of a long box are its own length, and turn with it', () => {
    const plank = body([{ kind: 'box', size: [4, 0.2, 0.2] }]);
    const ball = ballAround(corners([world, plank], at([1, 2, 3])))!;
    expect(ball.centre).toEqual([1, 2, 3]);
    expect(ball.radius).toBeCloseTo(Math.hypot(2, 0.1, 0.1), 12);
    const h = Math.SQRT1_2;  // a quarter turn about z: the length is along y now
    const turned = corners([world, plank], [...at(), 0, 0, 0, 0, 0, h, h]);
    expect(Math.max(...turned.map((p) => p[1]))).toBeCloseTo(2, 12);
    expect(Math.max(...turned.map((p) => p[0]))).toBeCloseTo(0.1, 12);
  });

  it('leave out floors, trackers and what is not a number', () => {
    const bodies = [world, body([{ kind: 'plane' }], 'fixed'), body([{ kind: 'sphere', radius: 9 }], 'tracker'), body([{ kind: 'sphere', radius: 1 }])];
    expect(corners(bodies, at([0, 0, 0], [5, 5, 5], [NaN, 0, 0]))).toEqual([]);
    expect(ballAround([])).toBeNull();
    expect(corners(bodies, at([0, 0, 0], [5, 5, 5], [1, 0, 0]))).toHaveLength(8);
  });
});

describe('a camera that follows', () => {
  const ballBody = body([{ kind: 'sphere', radius: 0.1 }]);
  const first = { centre: [0, 0, 0] as Vec3, radius: 1 };

  it('rests while all is in the picture, and widens when something leaves', () => {
    const follow = new Follow();
    follow.start(first);
    expect(follow.frame(10, [world, ballBody], at([0.5, 0, 0]))).toBeNull();
    const wider = follow.frame(20, [world, ballBody], at([2, 0, 0]))!;
    // From the leftmost corner seen (0.4) to the rightmost (2.1).
    expect(wider.centre[0]).toBeCloseTo(1.25, 12);
    expect(follow.frame(30, [world, ballBody], at([2, 0, 0]))).toBeNull();
  });

  it('does not go after what falls for ever, nor after it was taken by hand', () => {
    const follow = new Follow();
    follow.start(first);
    expect(follow.frame(10, [world, ballBody], at([0, -50, 0]))).toBeNull();
    follow.active = false;
    expect(follow.frame(20, [world, ballBody], at([2, 0, 0]))).toBeNull();
  });
});

describe('a new solid', () => {
  it('stands on the ground in the middle, and beside what is there', () => {
    const free = freePlace([world], at(), [0.03, 0, 0], 0.2);
    expect(free).toEqual([0.05, 0.2, 0]);
    const taken = freePlace([world, body([{ kind: 'box', size: [0.2, 0.2, 0.2] }])], at([0, 0.2, 0]), [0, 0, 0], 0.2);
    expect(taken[0]).toBeGreaterThan(0.25);
    expect(taken.slice(1)).toEqual([0.2, 0]);
  });
});

it('the long axis of a solid is the one that is seen', () => {
  expect(longAxis(body([{ kind: 'capsule', radius: 1, length: 0.1 }]))).toEqual([0, 1, 0]);
  expect(longAxis(body([{ kind: 'box', size: [1, 2, 3] }]))).toEqual([0, 0, 1]);
  const h = Math.SQRT1_2;
  const lying = longAxis(body([{ kind: 'cylinder', radius: 0.1, length: 1, pose: [0, 0, 0, 0, 0, h, h] }]));
  expect(lying[0]).toBeCloseTo(-1, 12);
});
