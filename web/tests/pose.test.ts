import { describe, expect, it } from 'vitest';
import { across, axisAngle, composeMatrix, dot, fromY, multiply, rotate, toBody, toWorld, unrotate } from '../src/view/pose';

const close = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.from(a).forEach((x, i) => expect(x).toBeCloseTo(b[i], 6));

describe('poses', () => {
  const q = axisAngle([1, 2, 3], 0.8);

  it('turn and turn back', () => close(unrotate(q, rotate(q, [4, 5, 6])), [4, 5, 6]));
  it('multiply in the order of turning', () => {
    const p = axisAngle([0, 1, 0], 0.4);
    close(rotate(multiply(p, q), [1, 2, 3]), rotate(p, rotate(q, [1, 2, 3])));
  });
  it('take points to the world and back', () => {
    const poses = [0, 0, 0, 0, 0, 0, 1, 5, -1, 2, ...q];
    close(toBody(poses, 1, toWorld(poses, 1, [1, 2, 3])), [1, 2, 3]);
  });
  it.each([[0, 1, 0], [0, -1, 0], [1, 0, 0], [0.2, -0.9, 0.3]])('turn y to %f %f %f', (x, y, z) => {
    const n = Math.hypot(x, y, z);
    close(rotate(fromY([x, y, z]), [0, 1, 0]), [x / n, y / n, z / n]);
  });
  it('find something across', () => expect(dot(across([0, 1, 0.001]), [0, 1, 0.001])).toBeCloseTo(0, 9));
  it('compose the same matrix as point by point', () => {
    const poses = [5, -1, 2, ...q];
    const local = axisAngle([0, 0, 1], 1.1), p = [0.1, 0.2, 0.3], s = [2, 3, 4];
    const m = new Float32Array(16);
    composeMatrix(m, 0, poses, 0, p, local, s);
    const v = [0.5, -0.25, 1];
    const r = rotate(local, [v[0] * s[0], v[1] * s[1], v[2] * s[2]]);
    const expected = toWorld(poses, 0, [r[0] + p[0], r[1] + p[1], r[2] + p[2]]);
    const got = [0, 1, 2].map((i) => m[i] * v[0] + m[4 + i] * v[1] + m[8 + i] * v[2] + m[12 + i]);
    got.forEach((x, i) => expect(x).toBeCloseTo(expected[i], 5));
  });
});
