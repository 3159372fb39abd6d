// Words of the scene language with their places. The engine's parser is the judge of a text; this one only finds what
// an inspector shows, so it never fails: what it cannot read it leaves out.

export interface Token {
  kind: 'name' | 'number' | 'text' | 'sign' | 'open' | 'close' | 'end';
  text: string;
  from: number;
  to: number;
}

const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))+/y;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
// Letters, digits, _ and - when a letter follows; then indices and dots.
const WORD = /[\p{L}_](?:[\p{L}\d_]|-(?=\p{L}))*/uy;
const TEXT = /"[^"\n]*"?/y;

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found ? found[0].length : 0;
}

/** A name with its indices and dots, `doll[i + 1].head`, or `body~wheel#2`. */
function nameEnd(text: string, at: number): number {
  let end = at + match(WORD, text, at);
  for (;;) {
    if (text[end] === '[') {
      let depth = 0, i = end;
      for (; i < text.length; i++) {
        if (text[i] === '[') depth++;
        else if (text[i] === ']' && --depth === 0) break;
        else if (text[i] === ';' || text[i] === '\n') return end;
      }
      end = i + 1;
    } else if (text[end] === '.' && match(WORD, text, end + 1) > 0) {
      end += 1 + match(WORD, text, end + 1);
    } else return end;
  }
}

export function tokens(text: string): Token[] {
  const out: Token[] = [];
  let at = 0;
  const push = (kind: Token['kind'], length: number) => {
    out.push({ kind, text: text.slice(at, at + length), from: at, to: at + length });
    at += length;
  };
  while (at < text.length) {
    const blank = match(SPACE, text, at);
    if (blank > 0) { at += blank; continue; }
    const number = match(NUMBER, text, at);
    if (number > 0) { push('number', number); continue; }
    if (match(WORD, text, at) > 0) { push('name', nameEnd(text, at) - at); continue; }
    if (text[at] === '"') { push('text', match(TEXT, text, at)); continue; }
    if (text[at] === ';') push('end', 1);
    else if (text[at] === '(') push('open', 1);
    else if (text[at] === ')') push('close', 1);
    else push('sign', 1);
  }
  return out;
}
