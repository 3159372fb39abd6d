import { describe, expect, it } from 'vitest';
import { mockHello } from '../src/engine/mock_schema';
import { findBlock, readBlocks, splitArguments } from '../src/language/blocks';
import { difference } from '../src/language/difference';
import { insertStatement, newStatement } from '../src/language/insert';
import { tokens } from '../src/language/lexer';
import { jointBlock, solidBlock } from '../src/language/templates';

const schema = mockHello().schema;
const split = (text: string) => splitArguments(text, tokens(text)).map((a) => a.text);

describe('arguments stand side by side', () => {
  it.each([
    ['0 -2.0 0', ['0', '-2.0', '0']],
    ['a - 2 1', ['a - 2', '1']],
    ['2-1 0 0', ['2-1', '0', '0']],
    ['0 (1 + length) 0', ['0', '(1 + length)', '0']],
    ['hypot(a, b) 0 30 deg', ['hypot(a, b)', '0', '30 deg']],
    ['left-foot 1', ['left-foot', '1']],
    ['link[i + 1] 2', ['link[i + 1]', '2']],
    ['-pitch/2 0 0', ['-pitch/2', '0', '0']],
    ['(i - 0.5)*pitch 2.5 0', ['(i - 0.5)*pitch', '2.5', '0']],
    ['1e-3 .5 5.', ['1e-3', '.5', '5.']],
  ])('%s', (text, parts) => expect(split(text)).toEqual(parts));
});

describe('blocks', () => {
  const text = `title "x; end"; // a comment with end
/* object not { } */
parameter length 2;
object bob
  sphere radius 0.1 at 0 -length 0;
  sphere radius 0.2;
  at 0 1 0; turn 0 0 1 30 deg;
end
repeat i from 1 to 3 step 1
  object link[i] capsule radius 0.1 length 1; end
end
constraint object2 bob; hinge 0 0 0  0 length 0; angle 1 0 0 1 0 0 max 0.5; end
constraint tip object1 bob; object2 link[1]; end
`;
  const root = readBlocks(text, schema);

  it('are found with their lines', () => {
    expect(root.children.map((b) => [b.kind, b.name, b.line])).toEqual([
      ['object', 'bob', 4], ['repeat', 'i', 9], ['constraint', '', 12], ['constraint', 'tip', 13],
    ]);
    expect(root.statements.map((s) => s.keyword)).toEqual(['title', 'parameter']);
  });

  it('have statements with arguments and options', () => {
    const bob = root.children[0];
    expect(bob.statements.map((s) => s.keyword)).toEqual(['sphere', 'sphere', 'at', 'turn']);
    expect(bob.statements[0].options.map((o) => [o.name, o.args.map((a) => a.text)])).toEqual([['radius', ['0.1']], ['at', ['0', '-length', '0']]]);
    expect(bob.statements[3].args.map((a) => a.text)).toEqual(['0', '0', '1', '30 deg']);
    const angle = root.children[2].statements[2];
    expect(angle.args.length).toBe(6);
    expect(angle.options[0]).toMatchObject({ name: 'max' });
  });

  it('are found for what they make: in a repeat, without a name', () => {
    expect(findBlock(root, 'link[2]', 10)?.name).toBe('link[i]');
    expect(findBlock(root, 'world~bob', 12)?.kind).toBe('constraint');
    expect(findBlock(root, 'bob')?.line).toBe(4);
    expect(text.slice(findBlock(root, 'tip')!.from, findBlock(root, 'tip')!.to)).toBe('constraint tip object1 bob; object2 link[1]; end');
  });

  it('survive a text that is not finished', () => {
    expect(() => readBlocks('object a sphere radius', schema)).not.toThrow();
    expect(() => readBlocks('end end ; ; object', schema)).not.toThrow();
    expect(readBlocks('/* never closed', schema).children).toEqual([]);
  });
});

describe('difference', () => {
  it('is the smallest single replacement', () => {
    expect(difference('abc', 'abc')).toBeNull();
    expect(difference('at 0 1 0;', 'at 0 1.5 0;')).toEqual({ from: 6, to: 6, insert: '.5' });
    expect(difference('aa', 'aaa')).toEqual({ from: 2, to: 2, insert: 'a' });
  });
  it('makes one text out of the other', () => {
    const pairs = [['', 'x'], ['abcabc', 'abc'], ['hello', 'hxllo'], ['aaaa', 'aa']];
    for (const [a, b] of pairs) {
      const d = difference(a, b)!;
      expect(a.slice(0, d.from) + d.insert + a.slice(d.to)).toBe(b);
    }
  });
});

describe('new things', () => {
  it('are written as by hand', () => {
    expect(solidBlock('box', 'crate', 0.2, [0, 1, -0.5])).toBe('object crate\n  box size 0.2 0.2 0.2;\n  at 0 1 -0.5;\n  color 0.86 0.49 0.32;\nend\n');
    expect(solidBlock('box', 'crate', 0.2, [0, 1, -0.5], 1)).not.toContain('0.86 0.49 0.32');
    expect(jointBlock({ name: 'j', type: 'pin', object1: 'a', object2: 'world', p1: [0, 0.5, 0], p2: [1, 2, 3], axis1: [0, 0, 1], axis2: [0, 0, 1] }))
      .toBe('joint j\n  type pin;\n  object1 a;\n  at 0 0.5 0  1 2 3;\n  axis 0 0 1  0 0 1;\nend\n');
  });
});

describe('a new statement', () => {
  const put = (text: string) => insertStatement(text, readBlocks(text, schema).children[0], 'density 5;');
  it('stands on a line of its own, or in the row', () => {
    expect(put('object a\n    at 0 1 0;\nend\n')).toBe('object a\n    at 0 1 0;\n    density 5;\nend\n');
    expect(put('object a\nend')).toBe('object a\n  density 5;\nend');
    expect(put('object a at 0 1 0; end')).toBe('object a at 0 1 0; density 5; end');
  });
  it('has what it needs', () => {
    const object = schema.blocks.find((b) => b.name === 'object')!;
    expect(newStatement(object.keywords.find((k) => k.name === 'capsule')!)).toBe('capsule radius 0.1 length 0.1;');
    expect(newStatement(object.keywords.find((k) => k.name === 'fixed')!)).toBe('fixed;');
  });
});
