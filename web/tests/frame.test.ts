import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame, FrameKind, NO_JOINT } from '../src/engine/frame';

const sample = () => encodeFrame({
  kind: FrameKind.ghost, revision: 7, frame: 5_000_000_000, time: 1.25, input: 42, worstJoint: NO_JOINT, gap: 0.5, energy: -3,
  stepMs: 2, serverMs: 0.25, poses: Float32Array.from([1, 2, 3, 0, 0, 0, 1, 4, 5, 6, 0, 1, 0, 0]),
});

describe('frames', () => {
  it('come back as they went, frame numbers beyond 32 bits included', () => {
    const f = decodeFrame(sample())!;
    expect(f).toMatchObject({ kind: 1, revision: 7, bodies: 2, frame: 5_000_000_000, time: 1.25, input: 42, worstJoint: NO_JOINT, gap: 0.5, energy: -3 });
    expect(Array.from(f.poses.slice(7, 10))).toEqual([4, 5, 6]);
    expect(f.bytes).toBe(64 + 2 * 28);
  });

  it('are refused when cut short, of another version or of something else', () => {
    expect(decodeFrame(sample().slice(0, 100))).toBeNull();
    expect(decodeFrame(new ArrayBuffer(10))).toBeNull();
    const other = sample();
    new DataView(other).setUint16(4, 2, true);
    expect(decodeFrame(other)).toBeNull();
    const alien = sample();
    new DataView(alien).setUint32(0, 1, true);
    expect(decodeFrame(alien)).toBeNull();
  });
});
