// A corner of the language's schema in the form that `hello` has, for the engine without physics.
import type { ArgSpec, Hello, KeywordSpec, OptionSpec } from './messages';

const arg = (kind: ArgSpec['kind'], name: string, unit = ''): ArgSpec => ({ kind, name, unit });
const option = (name: string, args: ArgSpec[], fallback: string, doc: string, required = false): OptionSpec =>
  ({ name, args, default: fallback, doc, required });
const keyword = (name: string, args: ArgSpec[], fallback: string, doc: string, options: OptionSpec[] = [], repeatable = false): KeywordSpec =>
  ({ name, args, options, default: fallback, doc, repeatable });

const at = option('at', [arg('vector', 'position', 'm')], '0 0 0', 'where');
const empty = keyword('', [], '', '');

export function mockHello(): Hello {
  return {
    version: '0.0.0',
    folder: '.',
    solvers: [{ name: 'displacement' }, { name: 'linearized' }, { name: 'procedural' }],
    schemes: [{ name: 'euler' }, { name: 'newton' }, { name: 'exact' }],
    gallery: [{ name: 'chain', title: 'Chain', what: 'a falling chain' }],
    schema: {
      blocks: [
        {
          name: 'file', doc: 'the file', header: empty, contents: ['object', 'constraint', 'repeat'],
          keywords: [keyword('title', [arg('text', 'text')], '', 'what the scene shows'),
            keyword('parameter', [arg('new_name', 'NAME'), arg('number', 'value')], '', 'a named value', [], true)],
        },
        {
          name: 'object', doc: 'a rigid solid', header: keyword('object', [arg('new_name', 'NAME')], '', ''), contents: [],
          keywords: [
            keyword('fixed', [], 'dynamic', 'short for kernel fixed'),
            keyword('kernel', [{ kind: 'choice', name: '', choices: ['dynamic', 'fixed', 'path'] }], 'dynamic', 'how it moves'),
            keyword('sphere', [], '', 'a ball', [option('radius', [arg('number', 'r', 'm')], '', 'radius', true), at], true),
            keyword('box', [], '', 'a cuboid', [option('size', [arg('vector', 'edges', 'm')], '', 'edges', true), at], true),
            keyword('capsule', [], '', 'a capsule', [option('radius', [arg('number', 'r', 'm')], '', 'radius', true),
              option('length', [arg('number', 'l', 'm')], '', 'length', true), option('axis', [arg('vector', 'direction')], '0 1 0', 'direction'), at], true),
            keyword('density', [arg('number', 'rho', 'kg/m³')], '1000', 'of the shapes'),
            keyword('at', [arg('vector', 'position', 'm')], '0 0 0', 'initial position'),
            keyword('turn', [arg('vector', 'axis'), arg('number', 'angle', 'rad')], 'no turn', 'initial orientation', [], true),
            keyword('color', [arg('vector', 'rgb')], '0.7 0.7 0.7', 'red, green, blue'),
          ],
        },
        {
          name: 'constraint', doc: 'ties two objects', header: keyword('constraint', [{ ...arg('new_name', 'NAME'), optional: true }], '', ''), contents: [],
          keywords: [
            keyword('object1', [arg('object', 'OBJECT')], 'world', 'the first'),
            keyword('object2', [arg('object', 'OBJECT')], 'world', 'the second'),
            keyword('hinge', [arg('vector', 'P1', 'm'), arg('vector', 'P2', 'm')], 'none', 'the points meet'),
            keyword('angle', [arg('vector', 'a1'), arg('vector', 'a2')], 'none', 'limits an angle',
              [option('min', [arg('limit', 'α1', 'rad')], '0', 'lower limit'), option('max', [arg('limit', 'α2', 'rad')], 'pi', 'upper limit')]),
          ],
        },
        { name: 'repeat', doc: 'repeats', header: keyword('repeat', [arg('word', 'VARIABLE')], '', ''), keywords: [], contents: ['object', 'constraint', 'repeat'] },
      ],
      functions: [{ name: 'sin', usage: 'sin(x)', doc: 'sine' }],
      constants: ['pi', 'tau', 'inf'],
    },
  };
}
