// Forms for what is selected, made from the schema: one field per keyword, one per option. What the text says is shown
// as it is written, expressions and all; what it does not say shows its default in grey.
import { html, nothing, type TemplateResult } from 'lit';
import type { ArgSpec, BlockSpec, KeywordSpec, OptionSpec, OutlineNode } from '../engine/messages';
import { findBlock, readBlocks, type Argument, type Block, type Statement } from '../language/blocks';
import { insertStatement, newStatement } from '../language/insert';
import { findBody, findJoint } from '../state/names';
import { show } from '../util/numbers';
import { argumentFields, valueOf, type Commit } from './fields';
import { icons } from './icons';
import { Panel } from './panel';

/** Keywords most people look for first; the others are behind “more”. What the text says is always shown. */
const COMMON: Record<string, string[]> = {
  object: ['at', 'turn', 'kernel', 'density', 'mass', 'velocity', 'spin', 'contact', 'color'],
  particle: ['mass', 'at', 'velocity', 'color'],
  joint: ['type', 'object1', 'object2', 'at', 'axis'],
  constraint: ['object1', 'object2', 'hinge', 'angle', 'axial', 'planar'],
  simulation: ['gravity', 'duration', 'dt', 'solver', 'scheme', 'tolerance', 'iterations'],
};

export class Inspector extends Panel {
  private all = new Set<string>();

  constructor() {
    super('scene', 'selection', 'hello', 'sources', 'trails');
  }

  private node(path: string): OutlineNode | undefined {
    const find = (nodes: OutlineNode[]): OutlineNode | undefined => {
      for (const n of nodes) {
        if ((n.path ?? n.name) === path) return n;
        const below = n.children && find(n.children);
        if (below) return below;
      }
      return undefined;
    };
    return find(this.state.scene?.groups ?? []);
  }

  override render() {
    const { scene, selection, hello } = this.state;
    if (!scene || !hello) return nothing;
    const root = readBlocks(scene.text, hello.schema);
    if (selection.length === 0) return this.overview(root);
    return html`${selection.slice(0, 8).map((name) => this.thing(root, name))}
      ${selection.length > 8 ? html`<div class="empty">and ${selection.length - 8} more</div>` : nothing}`;
  }

  /** With nothing selected: the scene itself, its parameters and how it is simulated. */
  private overview(root: Block): TemplateResult {
    const schema = this.state.hello!.schema;
    const simulation = root.children.find((b) => b.kind === 'simulation');
    const spec = schema.blocks.find((b) => b.name === 'simulation');
    const parameters = root.statements.filter((s) => s.keyword === 'parameter' && s.args.length >= 2);
    return html`
      ${parameters.length ? html`<div class="section"><h3>Parameters</h3>
        ${parameters.map((s) => html`<div class="field"><label class="set" title=${s.args[0].text}>${s.args[0].text}</label>
          <input type="text" data-path=${s.args[0].text} .value=${s.args.slice(1).map((a) => a.text).join(' ')}
            @change=${(e: Event) => this.commit(s.args[0].text, (e.target as HTMLInputElement).value)} /><span></span></div>`)}</div>` : nothing}
      ${spec ? html`<div class="section"><h3>Simulation</h3>${this.keywords(spec, simulation, 'simulation')}</div>` : nothing}
      <div class="empty">Click a solid or a joint to see what it is made of.</div>`;
  }

  private thing(root: Block, name: string): TemplateResult {
    const scene = this.state.scene!;
    const body = findBody(scene, name), joint = findJoint(scene, name), node = this.node(name);
    const line = body?.line ?? joint?.line ?? node?.line ?? 0;
    const elsewhere = this.elsewhere(body?.file ?? joint?.file ?? node?.file);
    const words = elsewhere ? this.studio.sources.peek(elsewhere) : null;
    const block = !elsewhere ? findBlock(root, name, line) : words === null ? undefined : findBlock(readBlocks(words, this.state.hello!.schema), name, line);
    const kind = block?.kind ?? node?.kind ?? (joint ? 'joint' : 'object');
    const spec = this.state.hello!.schema.blocks.find((b) => b.name === kind);
    const trail = this.state.trails.some((t) => t.body === name && t.point.every((x) => x === 0));
    return html`<div class="section" data-inspects=${name}>
      <h3>${name} <span class="kind">${joint ? joint.kind : kind}${body?.mass ? ` · ${show(body.mass)} kg` : ''}</span><span class="spring"></span>
        ${body ? html`<button class="icon ${trail ? 'on' : ''}" title="Trail of its middle (T); Shift+T: of the point under the mouse" @click=${() => this.actions.toggleTrail(name)}>${icons.trail}</button>` : nothing}
        <button class="icon" title="Show in the text" data-do="show-text" @click=${() => this.actions.goTo(line, 1, elsewhere)}>${icons.file}</button>
      </h3>
      ${elsewhere ? html`<p class="origin">from <button class="link" @click=${() => this.actions.goTo(line, 1, elsewhere)}>${elsewhere}</button>: what is changed here changes that file</p>` : nothing}
      ${spec && block ? this.keywords(spec, block, name, elsewhere) : html`<p class="dim">It has no block of its own in this text.</p>`}
    </div>`;
  }

  /** The included file that a thing comes from, if it is not the scene's own. */
  private elsewhere(file: string | undefined): string | undefined {
    return file && file !== this.state.scene?.file ? file : undefined;
  }

  private commit: Commit = async (path, value) => {
    const reply = await this.actions.edit(path, value);
    // A refused value goes out of the field again; one that only fails in its place is in the text, where it is marked.
    if (!reply.ok) this.requestUpdate();
    const also = (reply.alsoAffects as string[] | undefined)?.length ?? 0;
    if (also > 0) this.studio.store.toast('info', `This line of the text makes ${also + 1} things; all of them changed.`);
    const error = reply.problems?.find((p) => p.severity === 'error');
    if (error) this.studio.store.toast('error', `${error.message} (line ${error.line}); the scene stays as it was until that is mended.`);
  };

  private keywords(spec: BlockSpec, block: Block | undefined, name: string, file?: string): TemplateResult {
    const said = new Map<string, Statement[]>();
    for (const s of block?.statements ?? []) said.set(s.keyword, [...(said.get(s.keyword) ?? []), s]);
    const common = COMMON[spec.name] ?? spec.keywords.map((k) => k.name);
    const open = this.all.has(spec.name);
    const shown = spec.keywords.filter((k) => said.has(k.name) || common.includes(k.name) || open);
    const rest = spec.keywords.length - shown.length;
    return html`
      ${shown.map((k) => (said.get(k.name) ?? [undefined]).map((s, i) => this.keyword(k, s, `${name}.${k.name}${i > 0 ? `#${i + 1}` : ''}`)))}
      ${block ? this.adder(spec, said, block, file) : nothing}
      ${rest > 0 || open ? html`<button class="more" @click=${() => { if (!this.all.delete(spec.name)) this.all.add(spec.name); this.requestUpdate(); }}>${open ? 'fewer' : `${rest} more…`}</button>` : nothing}`;
  }

  /** What may still be said of it: another shape, a contact, a freedom's limits. It begins with its defaults. */
  private adder(spec: BlockSpec, said: Map<string, Statement[]>, block: Block, file?: string): TemplateResult | typeof nothing {
    const able = spec.keywords.filter((k) => (k.options.length > 0 || k.args.length === 0) && !k.args.some((a) => !a.optional) && (k.repeatable || !said.has(k.name)));
    if (able.length === 0) return nothing;
    const add = (e: Event) => {
      const select = e.target as HTMLSelectElement;
      const k = able.find((x) => x.name === select.value);
      select.value = '';
      const { revision } = this.state.scene!;
      const text = file ? this.studio.sources.peek(file)! : this.state.scene!.text;
      if (k) void this.actions.run('text', { text: insertStatement(text, block, newStatement(k)), revision, ...(file ? { file } : {}) });
    };
    return html`<div class="field"><label>add</label><select data-do="add-keyword" @change=${add}><option value="">…</option>${able.map((k) => html`<option value=${k.name} title=${k.doc}>${k.name}</option>`)}</select><span></span></div>`;
  }

  private keyword(k: KeywordSpec, s: Statement | undefined, path: string): TemplateResult {
    // Any word may stand there for the parser; a person wants the list.
    if (path === 'simulation.solver') {
      const choices = (this.state.hello?.solvers ?? []).map((x) => (typeof x === 'string' ? x : x.name));
      k = { ...k, args: [{ ...k.args[0], kind: 'choice', choices }] };
    }
    if (k.options.length === 0) return this.field(k.name, k, s?.args, path, !!s, k.args.length === 0);
    // Shapes, contacts, freedoms: a keyword with options is a small form of its own.
    if (!s) {
      return html`<div class="field"><label title=${k.doc}>${k.name}</label><span class="dim mono">${k.default || 'none'}</span><span></span></div>`;
    }
    return html`<div class="sub"><div class="sub-head"><b>${path.split('.').pop()}</b><span class="dim" title=${k.doc}>${k.doc}</span><span class="spring"></span>${this.eraser(path, k.required)}</div>
      ${k.args.length ? this.field(k.args.length === 1 ? k.args[0].name || k.name : k.name, { ...k, options: [] }, s.args, path, true, false) : nothing}
      ${k.options.filter((o) => s.options.some((u) => u.name === o.name) || o.required || this.all.has(k.name)).map((o) => {
        const use = s.options.find((u) => u.name === o.name);
        return this.field(o.name, o, use?.args, `${path}.${o.name}`, !!use, o.args.length === 0);
      })}
      <button class="more" @click=${() => { if (!this.all.delete(k.name)) this.all.add(k.name); this.requestUpdate(); }}>${this.all.has(k.name) ? 'fewer' : 'more…'}</button>
    </div>`;
  }

  /** One line of the form: a keyword or an option with its arguments. */
  private field(label: string, spec: KeywordSpec | OptionSpec, args: Argument[] | undefined, path: string, set: boolean, flag: boolean): TemplateResult {
    const title = `${spec.doc}${spec.default ? ` – default: ${spec.default}` : ''}`;
    const unit = [...new Set(spec.args.map((a: ArgSpec) => a.unit).filter(Boolean))].join(', ');
    return html`<div class="field"><label class=${set ? 'set' : ''} title=${title}>${label}</label>
      ${flag ? html`<span class="dim">${set ? 'yes' : 'no'}</span>` : argumentFields(spec, valueOf(spec.args, args), path, set, this.state.scene!, this.commit)}
      <span class="unit">${unit}${set ? this.eraser(path, spec.required) : nothing}</span></div>`;
  }

  /** Takes out of the text what is said there; what must be said has none. */
  private eraser(path: string, required: boolean | undefined): TemplateResult | typeof nothing {
    if (required) return nothing;
    return html`<button class="erase" data-erase=${path} title="Take this out of the text: the default holds again" @click=${() => void this.erase(path)}>${icons.close}</button>`;
  }

  private async erase(path: string): Promise<void> {
    const reply = await this.actions.erase(path);
    const also = (reply.alsoAffects as string[] | undefined)?.length ?? 0;
    if (also > 0) this.studio.store.toast('info', `This line of the text makes ${also + 1} things; all of them changed.`);
    const error = reply.problems?.find((p) => p.severity === 'error');
    if (error) this.studio.store.toast('error', `${error.message} (line ${error.line}); the scene stays as it was until that is mended.`);
  }
}
customElements.define('studio-inspector', Inspector);
