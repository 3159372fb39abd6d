// A WebM file of one VP8 track: the smallest part of Matroska that players accept. Elements are an id, a size, a body
// [RFC 8794, RFC 9559].

type Part = number[] | Uint8Array;

const SECONDS_PER_CLUSTER = 4;

function size(n: number): number[] {
  // Always eight bytes: longer than needed, but no second look at what was written.
  const high = Math.floor(n / 2 ** 32);
  return [0x01, (high >> 16) & 255, (high >> 8) & 255, high & 255, (n >>> 24) & 255, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
}

function element(id: number[], ...body: Part[]): Uint8Array {
  const length = body.reduce((n, b) => n + b.length, 0);
  const head = [...id, ...size(length)];
  const out = new Uint8Array(head.length + length);
  out.set(head);
  let at = head.length;
  for (const b of body) { out.set(b, at); at += b.length; }
  return out;
}

function uint(n: number): number[] {
  const bytes: number[] = [];
  do { bytes.unshift(n % 256); n = Math.floor(n / 256); } while (n > 0);
  return bytes;
}

function float(x: number): Uint8Array {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setFloat64(0, x);
  return out;
}

const text = (s: string) => Array.from(new TextEncoder().encode(s));

export class WebmWriter {
  private frames: { data: Uint8Array; ms: number; key: boolean }[] = [];

  constructor(private readonly width: number, private readonly height: number) {}

  add(data: Uint8Array, ms: number, key: boolean): void {
    this.frames.push({ data, ms: Math.round(ms), key });
  }

  finish(): Blob {
    const head = element([0x1a, 0x45, 0xdf, 0xa3],
      element([0x42, 0x86], uint(1)), element([0x42, 0xf7], uint(1)), element([0x42, 0xf2], uint(4)), element([0x42, 0xf3], uint(8)),
      element([0x42, 0x82], text('webm')), element([0x42, 0x87], uint(2)), element([0x42, 0x85], uint(2)));
    const last = this.frames[this.frames.length - 1]?.ms ?? 0;
    const info = element([0x15, 0x49, 0xa9, 0x66],
      element([0x2a, 0xd7, 0xb1], uint(1e6)),  // one unit is a millisecond
      element([0x44, 0x89], float(last + 16)), element([0x4d, 0x80], text('Armature')), element([0x57, 0x41], text('Armature')));
    const video = element([0xe0], element([0xb0], uint(this.width)), element([0xba], uint(this.height)));
    const tracks = element([0x16, 0x54, 0xae, 0x6b], element([0xae],
      element([0xd7], uint(1)), element([0x73, 0xc5], uint(1)), element([0x83], uint(1)), element([0x86], text('V_VP8')), video));
    const segment = element([0x18, 0x53, 0x80, 0x67], info, tracks, ...this.clusters());
    return new Blob([head, segment], { type: 'video/webm' });
  }

  private clusters(): Uint8Array[] {
    const out: Uint8Array[] = [];
    let start = 0, blocks: Uint8Array[] = [];
    const flush = () => {
      if (blocks.length) out.push(element([0x1f, 0x43, 0xb6, 0x75], element([0xe7], uint(start)), ...blocks));
      blocks = [];
    };
    for (const f of this.frames) {
      if (blocks.length && f.key && f.ms - start > SECONDS_PER_CLUSTER * 1000 || f.ms - start > 30_000) flush();
      if (blocks.length === 0) start = f.ms;
      const relative = f.ms - start;
      blocks.push(element([0xa3], [0x81, (relative >> 8) & 255, relative & 255, f.key ? 0x80 : 0], f.data));
    }
    flush();
    return out;
  }
}
