// Inputs for the arguments of a keyword: three numbers, a choice, a name, a colour, an expression.
import { html, type TemplateResult } from 'lit';
import type { ArgSpec, KeywordSpec, OptionSpec, SceneEvent } from '../engine/messages';
import type { Argument } from '../language/blocks';
import { write } from '../util/numbers';

export type Commit = (path: string, value: string) => void | Promise<void>;

/** Texts per argument of the schema: a vector has three. Nothing for arguments that are not written. */
export function valueOf(specs: ArgSpec[], args: Argument[] | undefined): (string[] | undefined)[] {
  if (!args) return specs.map(() => undefined);
  let i = 0;
  return specs.map((spec) => {
    const n = spec.repeated ? args.length - i : spec.kind === 'vector' ? 3 : 1;
    const part = args.slice(i, i + n).map((a) => a.text);
    i += n;
    return part.length === n && n > 0 ? part : undefined;
  });
}

/** `knee.hinge` has two arguments: `knee.hinge.P1`; `wheel.mass` has one, which needs no name. */
export function argumentPath(path: string, specs: ArgSpec[], i: number): string {
  return specs.length > 1 ? `${path}.${specs[i].name}` : path;
}

const AXES = ['x', 'y', 'z'];
const defaults = (spec: KeywordSpec | OptionSpec): string[] => (spec.default ?? '').split(/\s+/).filter((w) => /^[-\d.]/.test(w));

export function argumentFields(
  spec: KeywordSpec | OptionSpec, values: (string[] | undefined)[], path: string, set: boolean, scene: SceneEvent, commit: Commit,
): TemplateResult {
  const specs = spec.args;
  const parts = specs.map((arg, i) => argumentField(arg, values[i], argumentPath(path, specs, i), i === 0 ? defaults(spec) : [], set, scene, commit, spec));
  return parts.length === 1 ? parts[0] : html`<div class="two">${parts}</div>`;
}

function argumentField(
  arg: ArgSpec, value: string[] | undefined, path: string, fallback: string[], set: boolean, scene: SceneEvent, commit: Commit, spec: KeywordSpec | OptionSpec,
): TemplateResult {
  const changed = (e: Event) => (e.target as HTMLInputElement).value.trim();
  if (arg.kind === 'vector' && !arg.repeated) {
    const now = value ?? (fallback.length === 3 ? fallback : ['0', '0', '0']);
    const vector = html`<div class="xyz">${AXES.map((axis, k) => html`<input type="text" data-path=${`${path}.${axis}`} title="${arg.name} ${axis}: ${now[k]}" .value=${value ? now[k] : ''} placeholder=${now[k]}
      @change=${(e: Event) => {
        const text = changed(e);
        if (!text) return;
        // A component alone where the text has one; else the whole vector is written.
        if (value) void commit(`${path}.${axis}`, text);
        else void commit(path, now.map((x, j) => (j === k ? text : x)).join(' '));
      }} />`)}</div>`;
    return spec.name === 'color' ? withColor(vector, now, path, commit) : vector;
  }
  const text = value?.join(' ') ?? '';
  if (arg.kind === 'choice') {
    return html`<select data-path=${path} @change=${(e: Event) => void commit(path, changed(e))}>
      ${(arg.choices ?? []).map((c) => html`<option value=${c} ?selected=${c === (text || spec.default)}>${c}</option>`)}</select>`;
  }
  if (arg.kind === 'object') {
    const names = scene.bodies.map((b) => b.name).slice(0, 400);
    if (text && !names.includes(text)) names.unshift(text);
    return html`<select data-path=${path} @change=${(e: Event) => void commit(path, changed(e))}>
      ${names.map((n) => html`<option value=${n} ?selected=${n === (text || 'world')}>${n}</option>`)}</select>`;
  }
  return html`<input type="text" data-path=${path} .value=${text} placeholder=${set ? '' : (spec.default ?? '')} title=${arg.name}
    @change=${(e: Event) => { const t = changed(e); if (t) void commit(path, t); }} />`;
}

/** A colour can be seen: where the three numbers are plain, the browser's own chooser stands beside them. */
function withColor(vector: TemplateResult, now: string[], path: string, commit: Commit): TemplateResult {
  const numbers = now.map(Number);
  const hex = (x: number) => Math.round(255 * Math.max(0, Math.min(1, Number.isFinite(x) ? x : 0.7))).toString(16).padStart(2, '0');
  return html`<div class="with-color"><input type="color" .value=${`#${numbers.map(hex).join('')}`}
    @change=${(e: Event) => {
      const v = (e.target as HTMLInputElement).value;
      void commit(path, [1, 3, 5].map((i) => write(parseInt(v.slice(i, i + 2), 16) / 255, 3)).join(' '));
    }} />${vector}</div>`;
}
