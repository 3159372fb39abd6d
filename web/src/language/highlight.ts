// Colours of the language for the editor, from the words of the schema.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { tags as t } from '@lezer/highlight';
import type { KeywordSpec, Schema } from '../engine/messages';

interface Mode {
  comment: boolean;
  /** The next word is somebody's name, whatever else it may mean. */
  name: boolean;
}

const NAMES = new Set(['new_name', 'object', 'path', 'track', 'word']);

/** Words that a name must follow, wherever they stand: `object box` is a solid that is called so. */
function callers(schema: Schema | null): Set<string> {
  const calls = (k: KeywordSpec) => k.args.length > 0 && NAMES.has(k.args[0].kind) && !k.args[0].optional;
  const uses = new Map<string, boolean>();
  const note = (word: string, is: boolean) => uses.set(word, is && (uses.get(word) ?? true));
  for (const b of schema?.blocks ?? []) {
    if (b.name !== 'file') note(b.name, calls(b.header));
    for (const k of b.keywords) note(k.name, calls(k));
  }
  return new Set([...uses].filter(([, is]) => is).map(([word]) => word));
}

export function armatureLanguage(schema: Schema | null): StreamLanguage<Mode> {
  const blocks = new Set(schema?.blocks.map((b) => b.name).filter((n) => n !== 'file'));
  const keywords = new Set(schema?.blocks.flatMap((b) => b.keywords.map((k) => k.name)));
  const options = new Set([...(schema?.blocks.flatMap((b) => b.keywords.flatMap((k) => k.options.map((o) => o.name))) ?? []), 'from', 'to', 'step', 'as']);
  const functions = new Set(schema?.functions?.map((f) => f.name));
  const constants = new Set([...(schema?.constants ?? ['pi', 'tau', 'inf']), 'deg', 'rad', 'world', 'yes', 'no']);
  const called = callers(schema);
  const choices = new Set(schema?.blocks.flatMap((b) => b.keywords.flatMap((k) => k.args.flatMap((a) => a.choices ?? []))));
  return StreamLanguage.define<Mode>({
    name: 'armature',
    startState: () => ({ comment: false, name: false }),
    languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } }, closeBrackets: { brackets: ['(', '[', '"'] } },
    token(stream, state) {
      if (state.comment || stream.match('/*')) {
        state.comment = !stream.match(/.*?\*\//);
        if (state.comment) stream.skipToEnd();
        return 'comment';
      }
      if (stream.eatSpace()) return null;
      if (stream.match('//')) { stream.skipToEnd(); return 'comment'; }
      if (stream.match(/"[^"]*"?/)) return 'string';
      if (stream.match(/(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/)) return 'number';
      const word = stream.match(/[\p{L}_](?:[\p{L}\d_]|-(?=\p{L}))*/u) as RegExpMatchArray | null;
      if (word) {
        const w = word[0];
        if (state.name) {
          state.name = false;
          return w === 'world' ? 'atom' : 'variableName';
        }
        state.name = called.has(w);
        if (blocks.has(w) || w === 'end') return 'keyword';
        if (keywords.has(w)) return 'propertyName';
        if (options.has(w)) return 'attributeName';
        if (functions.has(w) && stream.peek() === '(') return 'macroName';
        if (constants.has(w)) return 'atom';
        if (choices.has(w)) return 'typeName';
        return 'variableName';
      }
      if (stream.next() === ';') state.name = false;
      return 'operator';
    },
  });
}

export const colors = syntaxHighlighting(
  HighlightStyle.define([
    { tag: t.comment, color: '#6f7988', fontStyle: 'italic' },
    { tag: t.keyword, color: '#eda95c', fontWeight: '600' },
    { tag: t.propertyName, color: '#7fbdf2' },
    { tag: t.attributeName, color: '#8fd0c0' },
    { tag: t.number, color: '#d7b3e8' },
    { tag: t.string, color: '#a5cf8c' },
    { tag: t.macroName, color: '#d9d08a' },
    { tag: t.atom, color: '#d7b3e8' },
    { tag: t.typeName, color: '#e3b8a0' },
    { tag: t.variableName, color: '#d9dde4' },
    { tag: t.operator, color: '#8f97a5' },
  ]),
);
