import { describe, expect, it } from 'vitest';
import type { Body, Shape, Vec3 } from '../src/engine/messages';
import { features, pickBody, snapPoint } from '../src/view/pick';

const body = (shape: Shape, kind: Body['kind'] = 'dynamic'): Body => ({ name: 'b', kind, color: [1, 1, 1], shapes: [shape], line: 1 });
const world: Body = { name: 'world', kind: 'fixed', color: [1, 1, 1], shapes: [], line: 0 };
const poses = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1];
const hit = (shape: Shape, from: Vec3, along: Vec3) => pickBody([world, body(shape)], poses, from, along, 1);

describe('picking', () => {
  it.each<[string, Shape, Vec3, Vec3, Vec3]>([
    ['sphere', { kind: 'sphere', radius: 0.5 }, [0, 0, 5], [0, 0, -1], [0, 0, 0.5]],
    ['box', { kind: 'box', size: [1, 2, 3] }, [5, 0.4, 0.2], [-1, 0, 0], [0.5, 0.4, 0.2]],
    ['cylinder side', { kind: 'cylinder', radius: 0.3, length: 2 }, [0, 0.5, 5], [0, 0, -1], [0, 0.5, 0.3]],
    ['cylinder top', { kind: 'cylinder', radius: 0.3, length: 2 }, [0.1, 5, 0], [0, -1, 0], [0.1, 1, 0]],
    ['capsule side', { kind: 'capsule', radius: 0.2, length: 1 }, [5, 0.3, 0], [-1, 0, 0], [0.2, 0.3, 0]],
    ['capsule cap', { kind: 'capsule', radius: 0.2, length: 1 }, [0, 5, 0], [0, -1, 0], [0, 0.7, 0]],
    ['ellipsoid', { kind: 'ellipsoid', radii: [1, 2, 3] }, [0, 9, 0], [0, -1, 0], [0, 2, 0]],
    ['cone', { kind: 'cone', radius: 1, length: 2 }, [5, 0, 0], [-1, 0, 0], [0.5, 0, 0]],
    ['plane', { kind: 'plane' }, [2, 5, 3], [0, -1, 0], [2, 0, 3]],
    ['mesh', { kind: 'mesh', positions: [-1, 0, -1, 1, 0, -1, 0, 0, 1], indices: [0, 1, 2] }, [0, 3, 0], [0, -1, 0], [0, 0, 0]],
  ])('%s', (_name, shape, from, along, where) => {
    const pick = hit(shape, from, along)!;
    expect(pick.body).toBe(1);
    pick.point.forEach((x, i) => expect(x).toBeCloseTo(where[i], 9));
    expect(Math.hypot(...pick.normal)).toBeCloseTo(1, 9);
  });

  it('misses beside', () => {
    expect(hit({ kind: 'box', size: [1, 1, 1] }, [5, 0.6, 0], [-1, 0, 0])).toBeNull();
    expect(hit({ kind: 'capsule', radius: 0.2, length: 1 }, [5, 0.71, 0], [-1, 0, 0])).toBeNull();
    expect(hit({ kind: 'plane' }, [0, -1, 0], [0, -1, 0])).toBeNull();
  });

  it('takes the nearest and gives the point in its own frame', () => {
    const two = [world, body({ kind: 'sphere', radius: 0.1 }), body({ kind: 'sphere', radius: 0.1 })];
    const at = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1];
    const pick = pickBody(two, at, [0, 0, 5], [0, 0, -1], 1)!;
    expect(pick.body).toBe(2);
    expect(pick.point[2]).toBeCloseTo(0.1, 9);
    expect(pick.world[2]).toBeCloseTo(2.1, 9);
  });

  it('snaps to the end of a rod when near, not when far', () => {
    const rod = body({ kind: 'capsule', radius: 0.05, length: 1 });
    expect(snapPoint(rod, [0, 0.52, 0.02], 0.1)).toEqual([0, 0.5, 0]);
    expect(snapPoint(rod, [0, 0.3, 0.05], 0.1)).toEqual([0, 0.3, 0.05]);
    expect(features(body({ kind: 'box', size: [1, 1, 1] })).length).toBeGreaterThan(26);
  });
});
