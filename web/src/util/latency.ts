// From a move of the mouse to the state that contains it: the time of every input is kept until a frame says that it is
// in. The engine's own share comes with the frame; what is left is the way there and back and this page.

export interface LatencySample {
  totalMs: number;
  serverMs: number;
}

const MOST = 2000;

export class Latency {
  readonly samples: LatencySample[] = [];
  private sent = new Map<number, number>();
  private next = 1;

  /** A new input that happened at `time` (of the event); returns its number. */
  input(time: number): number {
    const n = this.next++;
    this.sent.set(n, time);
    return n;
  }

  frame(input: number, serverMs: number, now: number): void {
    const at = this.sent.get(input);
    if (at !== undefined) {
      this.samples.push({ totalMs: now - at, serverMs });
      if (this.samples.length > MOST) this.samples.shift();
    }
    for (const n of this.sent.keys()) if (n <= input) this.sent.delete(n);
  }
}
