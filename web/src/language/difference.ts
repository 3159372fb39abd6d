// The smallest single replacement that makes one text out of another.

export interface Change {
  from: number;
  to: number;
  insert: string;
}

export function difference(a: string, b: string): Change | null {
  if (a === b) return null;
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return { from: head, to: a.length - tail, insert: b.slice(head, b.length - tail) };
}
