// Binary frames: a header of 64 bytes, then seven floats per body. The table is in docs/studio_protocol.md.

export const FRAME_MAGIC = 0x46524d41;
export const FRAME_HEADER = 64;
export const NO_JOINT = 0xffffffff;

export enum FrameKind {
  live = 0,
  ghost = 1,
  assembling = 2,
}

export interface Frame {
  kind: FrameKind;
  revision: number;
  bodies: number;
  frame: number;
  time: number;
  input: number;
  worstJoint: number;
  gap: number;
  energy: number;
  stepMs: number;
  serverMs: number;
  /** A view into the message, not a copy: 7 floats per body. */
  poses: Float32Array;
  bytes: number;
}

/** Nothing when the bytes are not a whole frame of this version. */
export function decodeFrame(data: ArrayBuffer): Frame | null {
  if (data.byteLength < FRAME_HEADER) return null;
  const v = new DataView(data);
  if (v.getUint32(0, true) !== FRAME_MAGIC || v.getUint16(4, true) !== 1) return null;
  const bodies = v.getUint32(12, true);
  if (data.byteLength < FRAME_HEADER + bodies * 28) return null;
  return {
    kind: v.getUint16(6, true),
    revision: v.getUint32(8, true),
    bodies,
    frame: Number(v.getBigInt64(16, true)),
    time: v.getFloat64(24, true),
    input: v.getUint32(32, true),
    worstJoint: v.getUint32(36, true),
    gap: v.getFloat32(40, true),
    energy: v.getFloat32(44, true),
    stepMs: v.getFloat32(48, true),
    serverMs: v.getFloat32(52, true),
    poses: new Float32Array(data, FRAME_HEADER, bodies * 7),
    bytes: data.byteLength,
  };
}

/** The other direction, for the engine in the page and for tests. */
export function encodeFrame(f: Omit<Frame, 'bodies' | 'bytes'>): ArrayBuffer {
  const bodies = f.poses.length / 7;
  const data = new ArrayBuffer(FRAME_HEADER + bodies * 28);
  const v = new DataView(data);
  v.setUint32(0, FRAME_MAGIC, true);
  v.setUint16(4, 1, true);
  v.setUint16(6, f.kind, true);
  v.setUint32(8, f.revision, true);
  v.setUint32(12, bodies, true);
  v.setBigInt64(16, BigInt(f.frame), true);
  v.setFloat64(24, f.time, true);
  v.setUint32(32, f.input, true);
  v.setUint32(36, f.worstJoint, true);
  v.setFloat32(40, f.gap, true);
  v.setFloat32(44, f.energy, true);
  v.setFloat32(48, f.stepMs, true);
  v.setFloat32(52, f.serverMs, true);
  new Float32Array(data, FRAME_HEADER).set(f.poses);
  return data;
}
