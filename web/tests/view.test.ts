import { describe, expect, it } from 'vitest';
import type { Line } from 'three';
import type { Body, Joint, Shape } from '../src/engine/messages';
import { DetailKeeper } from '../src/view/detail';
import { glyphKind } from '../src/view/glyph_parts';
import { Leash } from '../src/view/leash';
import { limitLines } from '../src/view/limits';
import { springPoints } from '../src/view/marks';
import { makeParts } from '../src/view/parts';
import { scaledShape, scaleEdits } from '../src/view/scaling';
import { SolidsLayer } from '../src/view/solids';
import { Trails } from '../src/view/trails';
import { solidMaterial } from '../src/view/materials';
import { amplitude, movedPose } from '../src/view/wiggle';
import { WebmWriter } from '../src/util/webm';

const solid = (...shapes: Shape[]): Body => ({ name: 'a', kind: 'dynamic', color: [1, 0, 0], shapes, line: 1 });
const world: Body = { name: 'world', kind: 'fixed', color: [1, 1, 1], shapes: [], line: 0 };
const joint = (more: Partial<Joint>): Joint => ({ name: 'j', kind: 'pin', body1: 1, body2: 0, p1: [0, 0, 0], p2: [0, 0, 0], axis1: [0, 0, 1], axis2: [0, 0, 1], line: 1, ...more });

describe('parts', () => {
  it('a capsule is a tube and two domes; a particle a ball; the world nothing', () => {
    const { parts } = makeParts([world, solid({ kind: 'capsule', radius: 0.1, length: 1 }), { ...solid(), kind: 'particle' }], 1);
    expect(parts.map((p) => p.unit)).toEqual(['tube', 'dome', 'dome', 'sphere']);
    expect(parts[1].position[1]).toBeCloseTo(0.5);
    expect(parts[2].position[1]).toBeCloseTo(-0.5);
  });
  it('grow for an outline', () => {
    const { parts } = makeParts([world, solid({ kind: 'box', size: [1, 2, 3] })], 1, new Set([1]), 0.1);
    parts[0].scale.forEach((s, i) => expect(s).toBeCloseTo([1.2, 2.2, 3.2][i], 9));
  });
});

describe('solids', () => {
  it('are as many draw calls for a thousand as for three', () => {
    const make = (n: number) => {
      const layer = new SolidsLayer(solidMaterial({ value: 1 }, true), false);
      layer.build([world, ...Array.from({ length: n }, () => solid({ kind: 'capsule', radius: 0.1, length: 1 }, { kind: 'box', size: [1, 1, 1] }))], 1);
      return layer.group.children.length;
    };
    expect(make(3)).toBe(3);
    expect(make(1000)).toBe(3);
  });
});

describe('scaling', () => {
  const S = Math.SQRT1_2;
  it('goes by the axes of the solid, however the shape lies in it', () => {
    const lying: Shape = { kind: 'capsule', radius: 0.1, length: 1, pose: [0.5, 0, 0, 0, 0, -S, S] };  // its y along x of the solid
    const long = scaledShape(lying, [2, 1, 1]);
    expect(long.length).toBeCloseTo(2, 9);
    expect(long.radius).toBeCloseTo(0.1, 9);
    expect(long.pose![0]).toBeCloseTo(1, 9);
    const thick = scaledShape(lying, [1, 4, 1]);
    expect(thick.length).toBeCloseTo(1, 9);
    expect(thick.radius).toBeCloseTo(0.2, 9);
  });
  it('is written as sizes and places of the shapes, each by its number', () => {
    const body = { ...solid({ kind: 'box', size: [1, 2, 3] }, { kind: 'box', size: [1, 1, 1], pose: [0, 1, 0, 0, 0, 0, 1] }, { kind: 'sphere', radius: 1 }), name: 'b' };
    expect(scaleEdits(body, [1, 8, 1])).toEqual([
      { path: 'b.box.size', value: '1 16 3' }, { path: 'b.box#2.size', value: '1 8 1' }, { path: 'b.box#2.at', value: '0 8 0' }, { path: 'b.sphere.radius', value: '2' }]);
  });
});

describe('joints', () => {
  it('are drawn as what they are', () => {
    expect(glyphKind(joint({ kind: 'revolute' }))).toBe('pin');
    expect(glyphKind(joint({ kind: 'prismatic' }))).toBe('slider');
    expect(glyphKind(joint({ kind: 'constraint', limits: [{ freedom: 'slide', min: 0, max: 1 }] }))).toBe('slider');
    expect(glyphKind(joint({ kind: 'constraint', limits: [{ freedom: 'distance', min: 0, max: 1 }] }))).toBe('ring');
    expect(glyphKind(joint({ kind: 'constraint', limits: [] }))).toBe('ball');
  });
  it('have limits: an arc, a segment, a cone; none without bounds', () => {
    const arc = limitLines(joint({ across2: [1, 0, 0] }), { freedom: 'turn', min: 0, max: Math.PI / 2 }, 0.1);
    expect(arc.length % 2).toBe(0);
    for (const p of arc) expect(p[0]).toBeGreaterThan(-1e-9);
    const segment = limitLines(joint({ kind: 'sliding' }), { freedom: 'slide', min: -2, max: 3 }, 0.1);
    expect(segment[0][2]).toBeCloseTo(-2);
    expect(segment[1][2]).toBeCloseTo(3);
    expect(limitLines(joint({ kind: 'ball' }), { freedom: 'swing', max: 0.5 }, 0.1).length).toBeGreaterThan(20);
    expect(limitLines(joint({}), { freedom: 'turn', min: null, max: null }, 0.1)).toEqual([]);
  });
});

describe('trails', () => {
  it('shorten when time goes back', () => {
    const t = new Trails();
    t.set([{ body: 0, point: [0, 0, 0] }]);
    for (let f = 0; f < 10; f++) t.add(f, [f, 0, 0, 0, 0, 0, 1]);
    expect(t.length).toBe(10);
    t.add(4, [4, 0, 0, 0, 0, 0, 1]);
    expect(t.length).toBe(5);
  });
  it('are of points, and each knows its own past', () => {
    const t = new Trails();
    t.set([{ body: 0, point: [0, 0, 0] }, { body: 0, point: [1, 0, 0] }]);
    t.fill(0, [1, 0, 0], 5, [[1, 0, 0], [2, 0, 0], [3, 0, 0]], 6);
    expect(t.length).toBe(2);
    // A quarter turn about z: the point is above the middle.
    t.add(8, [0, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2]);
    const ends = (t.group.children as Line[]).map((line) => { const n = line.geometry.drawRange.count, a = line.geometry.attributes.position; return [n, a.getX(n - 1), a.getY(n - 1)]; });
    expect(ends[0]).toEqual([1, 0, 0]);
    expect(ends[1][0]).toBe(4);
    expect(ends[1][1]).toBeCloseTo(0, 6);
    expect(ends[1][2]).toBeCloseTo(1, 6);
  });
  it('are bounded', () => {
    const t = new Trails();
    t.set([{ body: 0, point: [0, 0, 0] }]);
    for (let f = 0; f < 5000; f++) t.add(f, [f, 0, 0, 0, 0, 0, 1]);
    expect(t.length).toBeLessThanOrEqual(1200);
  });
});

describe('detail', () => {
  it('falls when pictures are slow, rises when they are quick, and not for one hiccup', () => {
    const k = new DetailKeeper();
    k.took(500);
    k.took(10);
    expect(k.level).toBe(0);
    for (let i = 0; i < 6; i++) k.took(100);
    expect(k.level).toBe(1);
    for (let i = 0; i < 400; i++) k.took(8);
    expect(k.level).toBe(0);
  });
});

describe('spring', () => {
  it('runs from end to end', () => {
    const p = springPoints([0, 0, 0], [1, 0, 0], 0.1);
    expect(p[0]).toEqual([0, 0, 0]);
    expect(p[p.length - 1]).toEqual([1, 0, 0]);
  });
});

describe('webm', () => {
  it('begins like a Matroska file and holds its frames', async () => {
    const w = new WebmWriter(64, 48);
    w.add(Uint8Array.from([1, 2, 3]), 0, true);
    w.add(Uint8Array.from([4, 5]), 17, false);
    const bytes = new Uint8Array(await w.finish().arrayBuffer());
    expect(Array.from(bytes.slice(0, 4))).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
    const text = new TextDecoder('latin1').decode(bytes);
    expect(text).toContain('webm');
    expect(text).toContain('V_VP8');
    expect(text).toContain('\x01\x02\x03');
  });
});

describe('leash', () => {
  it('lets a near hand have its way, holds a far one, goes back and shortens when joints tear, and grows again', () => {
    const leash = new Leash(1);
    expect(leash.target([0, 0, 0], [0.1, 0, 0])).toEqual([0.1, 0, 0]);
    expect(leash.target([0, 0, 0], [3, 0, 0])[0]).toBeCloseTo(0.15);
    leash.frame(0, [0.05, 0, 0]);
    for (let i = 0; i < 20; i++) leash.frame(0.01, [1, 0, 0]);
    expect(leash.target([1, 0, 0], [3, 0, 0])).toEqual([0.05, 0, 0]);
    leash.frame(0, [0, 0, 0]);
    expect(leash.target([0, 0, 0], [3, 0, 0])[0]).toBeLessThan(0.001);
    for (let i = 0; i < 60; i++) leash.frame(0, [0, 0, 0]);
    expect(leash.target([0, 0, 0], [3, 0, 0])[0]).toBeCloseTo(0.15);
  });
});

describe('wiggle', () => {
  it('turns a solid about its axis: a point on the axis stays', () => {
    // About z through the origin, for a solid with its centre of mass one metre along x.
    const m = { solid: 'a', v: [0, 1, 0] as [number, number, number], w: [0, 0, 1] as [number, number, number] };
    const s = 1e-3;
    const p = movedPose([1, 0, 0, 0, 0, 0, 1], [0, 0, 0], m, s);
    expect(p[0]).toBeCloseTo(1, 5);
    expect(p[1]).toBeCloseTo(s, 9);
    expect(2 * Math.asin(p[5])).toBeCloseTo(s, 9);
    expect(amplitude([m], 1)).toBeCloseTo(0.12);
  });
});
