// Lowers the detail of the picture when frames take long and raises it again when there is time. Software drawing is a
// hundred times slower than a graphics card; a tool that stutters is worse than one with fewer facets.

export interface Detail {
  level: number;
  pixelRatio: number;
  shadowMap: number;
  simpleLight: boolean;
}

export const LEVELS: Detail[] = [
  { level: 0, pixelRatio: 2, shadowMap: 2048, simpleLight: false },
  { level: 1, pixelRatio: 1, shadowMap: 1024, simpleLight: false },
  { level: 2, pixelRatio: 0.8, shadowMap: 0, simpleLight: true },
  { level: 3, pixelRatio: 0.5, shadowMap: 0, simpleLight: true },
];

const SLOW_MS = 45;
const FAST_MS = 14;
/** Frames before a decision: a single hiccup means nothing. */
const LOWER_AFTER = 6;
const RAISE_AFTER = 240;

export class DetailKeeper {
  private slow = 0;
  private fast = 0;
  level: number;
  /** Pictures to be kept are drawn at the best level, whatever it takes. */
  held = false;

  constructor(start = 0) {
    this.level = start;
  }

  /** Tells how long a frame took; true when the level has changed. */
  took(ms: number): boolean {
    if (this.held) return false;
    this.slow = ms > SLOW_MS ? this.slow + 1 : 0;
    this.fast = ms < FAST_MS ? this.fast + 1 : 0;
    if (this.slow >= LOWER_AFTER && this.level < LEVELS.length - 1) {
      this.level++;
      this.slow = 0;
      return true;
    }
    if (this.fast >= RAISE_AFTER && this.level > 0) {
      this.level--;
      // It may have been lowered for a reason: the next try takes longer.
      this.fast = -RAISE_AFTER;
      return true;
    }
    return false;
  }
}
