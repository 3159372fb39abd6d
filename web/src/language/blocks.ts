// Blocks and statements of a text, by the schema that the engine sends, for the inspector: what does this block say?
import type { BlockSpec, KeywordSpec, Schema } from '../engine/messages';
import { tokens, type Token } from './lexer';

export interface Argument {
  text: string;
  from: number;
  to: number;
}
export interface OptionUse {
  name: string;
  args: Argument[];
}
export interface Statement {
  keyword: string;
  args: Argument[];
  options: OptionUse[];
  from: number;
  to: number;
}
export interface Block {
  kind: string;
  name: string;
  /** Counts from 1. */
  line: number;
  from: number;
  to: number;
  statements: Statement[];
  children: Block[];
}

const UNITS = new Set(['deg', 'rad']);
const isOperand = (t: Token) => t.kind === 'name' || t.kind === 'number' || t.kind === 'text' || t.kind === 'close';

/**
 * Splits the words of a statement into arguments. They stand side by side, so a sign with a blank before it and none
 * after it begins the next one (docs/language.md, Numbers and expressions).
 */
export function splitArguments(text: string, words: Token[]): Argument[] {
  const out: Argument[] = [];
  let depth = 0;
  words.forEach((t, i) => {
    const before = words[i - 1], after = words[i + 1];
    let begins = i === 0;
    if (i > 0 && depth === 0) {
      const blankBefore = before.to < t.from, blankAfter = !after || t.to < after.from;
      if (t.kind === 'sign') begins = (t.text === '-' || t.text === '+') && blankBefore && !blankAfter && isOperand(before);
      else if (t.kind === 'open') begins = isOperand(before) && blankBefore;
      else if (t.kind !== 'close') begins = isOperand(before) && !(t.kind === 'name' && UNITS.has(t.text));
    }
    if (t.kind === 'open') depth++;
    if (t.kind === 'close') depth--;
    if (begins) out.push({ text: '', from: t.from, to: t.to });
    else out[out.length - 1].to = t.to;
  });
  for (const a of out) a.text = text.slice(a.from, a.to);
  return out;
}

const count = (args: { kind: string }[]) => args.reduce((n, a) => n + (a.kind === 'vector' ? 3 : 1), 0);

/** Plain arguments first, then options; behind an option its values come first, whatever they are called. */
function readStatement(text: string, spec: KeywordSpec | undefined, words: Token[], end: number): Statement {
  const all = splitArguments(text, words.slice(1));
  const out: Statement = { keyword: words[0].text, args: [], options: [], from: words[0].from, to: end };
  let into = out.args, left = 0;
  for (const a of all) {
    const option = left <= 0 ? spec?.options.find((o) => o.name === a.text) : undefined;
    if (option) {
      out.options.push({ name: option.name, args: (into = []) });
      left = count(option.args);
    } else {
      into.push(a);
      left--;
    }
  }
  return out;
}

class Reader {
  private words: Token[];
  private i = 0;
  private specs: Map<string, BlockSpec>;

  constructor(private text: string, schema: Schema) {
    this.words = tokens(text);
    this.specs = new Map(schema.blocks.map((b) => [b.name, b]));
  }

  file(): Block {
    const root: Block = { kind: 'file', name: '', line: 1, from: 0, to: this.text.length, statements: [], children: [] };
    while (this.i < this.words.length) {
      this.fill(root);
      if (this.i < this.words.length) this.i++;  // a stray `end`
    }
    return root;
  }

  private fill(block: Block): void {
    const spec = this.specs.get(block.kind);
    while (this.i < this.words.length) {
      const word = this.words[this.i];
      if (word.text === 'end' && word.kind === 'name') return;
      const inner = word.kind === 'name' && (spec?.contents ?? []).includes(word.text);
      // `place … set`, `object … box`: a keyword of the block goes before a block of the same name.
      const keyword = spec?.keywords.find((k) => k.name === word.text);
      if (inner && !keyword) block.children.push(this.block());
      else this.statement(block, keyword);
    }
  }

  private statement(block: Block, keyword: KeywordSpec | undefined): void {
    const start = this.i;
    while (this.i < this.words.length && this.words[this.i].kind !== 'end') this.i++;
    const words = this.words.slice(start, this.i);
    const end = this.i < this.words.length ? this.words[this.i].to : this.text.length;
    if (this.i < this.words.length) this.i++;
    if (words.length > 0) block.statements.push(readStatement(this.text, keyword, words, end));
  }

  private block(): Block {
    const word = this.words[this.i++];
    const spec = this.specs.get(word.text);
    const block: Block = { kind: word.text, name: '', line: this.lineOf(word.from), from: word.from, to: word.to, statements: [], children: [] };
    this.header(block, spec);
    this.fill(block);
    const end = this.words[this.i];
    block.to = end ? end.to : this.text.length;
    if (end) this.i++;
    return block;
  }

  private header(block: Block, spec: BlockSpec | undefined): void {
    const next = () => this.words[this.i];
    if (block.kind === 'simulation' || !next()) return;
    if (block.kind === 'repeat') {
      block.name = next().text;
      // Up to the first word that begins a statement or a block.
      while (next() && !(next().kind === 'name' && (spec?.contents.includes(next().text) || spec?.keywords.some((k) => k.name === next().text)))) this.i++;
      return;
    }
    if (block.kind === 'place') {
      this.i += 2;  // GROUP as
      if (next()) block.name = next().text;
      this.i++;
      return;
    }
    // The name of a constraint may be left out; then a keyword follows.
    if (next().kind !== 'name' || spec?.keywords.some((k) => k.name === next().text)) return;
    block.name = next().text;
    this.i++;
  }

  private lineOf(at: number): number {
    let line = 1;
    for (let i = this.text.indexOf('\n'); i >= 0 && i < at; i = this.text.indexOf('\n', i + 1)) line++;
    return line;
  }
}

export function readBlocks(text: string, schema: Schema): Block {
  return new Reader(text, schema).file();
}

export function allBlocks(root: Block): Block[] {
  return root.children.flatMap((b) => [b, ...allBlocks(b)]);
}

const skeleton = (name: string) => name.replace(/\[[^\]]*\]/g, '[]');

/** The block that an object, joint … of the scene comes from; its line decides where names are not unique. */
export function findBlock(root: Block, name: string, line = 0): Block | undefined {
  const all = allBlocks(root);
  const last = name.split('.').pop() ?? name;
  const good = (b: Block) => b.name === name || skeleton(b.name) === skeleton(name) || skeleton(b.name) === skeleton(last);
  const here = line > 0 ? all.filter((b) => b.line === line && b.kind !== 'repeat' && b.kind !== 'group') : [];
  return here.find(good) ?? (here.length === 1 ? here[0] : undefined) ?? all.find((b) => b.name === name) ?? all.find(good) ?? here[0];
}
