// Numbers for people, and for the text of scenes.

const SUPER: Record<string, string> = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };

/** Three significant digits, with a power of ten where zeros would hide them. */
export function show(x: number | null | undefined, digits = 3): string {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
  if (x === 0) return '0';
  const e = Math.floor(Math.log10(Math.abs(x)));
  if (e < -3 || e > 5) {
    const m = (x / 10 ** e).toFixed(digits - 1);
    return `${m}·10${String(e).split('').map((c) => SUPER[c]).join('')}`.replace('-', '−');
  }
  return x.toFixed(Math.max(0, digits - 1 - e)).replace('-', '−');
}

/** A length with the unit that suits it. */
export function showLength(x: number): string {
  const a = Math.abs(x);
  if (a === 0) return '0 m';
  if (a >= 0.1) return `${show(x)} m`;
  if (a >= 1e-4) return `${show(x * 1e3)} mm`;
  if (a >= 1e-7) return `${show(x * 1e6)} µm`;
  return `${show(x)} m`;
}

/** For scene text: as short as it can be while saying what is meant. `digits` after the point at most. */
export function write(x: number, digits = 6): string {
  const rounded = Number(x.toFixed(digits));
  return Object.is(rounded, -0) ? '0' : String(rounded);
}

export const writeVector = (v: ArrayLike<number>, digits = 6): string => Array.from(v, (x) => write(x, digits)).join(' ');

/** 1, 2 or 5 times a power of ten, near x. */
export function nice(x: number): number {
  const e = 10 ** Math.floor(Math.log10(x));
  const m = x / e;
  return (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10) * e;
}

/** A step is said as a part of a second: 1/120, not 0.00833333. */
export function asFraction(x: number): string {
  const n = Math.round(1 / x);
  const plain = String(Number(x.toPrecision(6)));
  return x > 0 && x < 1 && n <= 100_000 && Math.abs(n * x - 1) < 1e-9 && plain.length > 6 ? `1/${n}` : plain;
}

/** Eight times or so between two, round ones. */
export function ticks(begin: number, end: number): number[] {
  const step = nice(Math.max((end - begin) / 8, 0.02));
  return Array.from({ length: 20 }, (_, i) => (Math.ceil(begin / step - 1e-9) + i) * step).filter((t) => t <= end + 1e-9);
}
