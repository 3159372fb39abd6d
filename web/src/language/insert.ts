// A new statement in a block: before its `end`, on a line of its own where the block has lines.
import type { KeywordSpec, ArgSpec } from '../engine/messages';
import type { Block } from './blocks';

export function insertStatement(text: string, block: Block, statement: string): string {
  const end = block.to - 'end'.length;
  const lineStart = text.lastIndexOf('\n', end - 1) + 1;
  const before = text.slice(lineStart, end);
  if (before.trim() !== '') return `${text.slice(0, end)}${/\s$/.test(before) ? '' : ' '}${statement} ${text.slice(end)}`;
  // As far in as its neighbours, or two blanks further than the block.
  const last = block.statements[block.statements.length - 1];
  const from = last ? text.lastIndexOf('\n', last.from - 1) + 1 : 0;
  const indent = last && text.slice(from, last.from).trim() === '' ? text.slice(from, last.from) : `${before}  `;
  return `${text.slice(0, lineStart)}${indent}${statement}\n${text.slice(lineStart)}`;
}

/** A keyword with what it must have, or its first option, at the default or a decimetre. */
export function newStatement(k: KeywordSpec): string {
  const value = (arg: ArgSpec, fallback: string) => {
    const plain = /^-?[\d.]/.test(fallback) ? fallback : '';
    if (arg.kind === 'vector') return plain.split(' ').length === 3 ? plain : '0.1 0.1 0.1';
    return plain || (/inf/.test(fallback) ? fallback : '0.1');
  };
  const needed = k.options.filter((o) => o.required);
  const options = needed.length ? needed : k.options.filter((o) => o.args.length > 0).slice(0, 1);
  const words = [k.name, ...options.flatMap((o) => [o.name, ...o.args.map((a) => value(a, o.default ?? ''))])];
  return `${words.join(' ')};`;
}
