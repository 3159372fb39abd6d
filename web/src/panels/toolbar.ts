// The bar on top: document, time, solver, and what one can ask of a mechanism.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Named, Settings } from '../engine/messages';
import { choose } from '../util/files';
import { asFraction } from '../util/numbers';
import { icons } from './icons';
import { Panel } from './panel';

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 0];
const named = (list: (Named | string)[] | undefined): Named[] => (list ?? []).map((x) => (typeof x === 'string' ? { name: x } : x));

export class Toolbar extends Panel {
  private open: 'file' | 'settings' | 'ghost' | null = null;

  constructor() {
    super('scene', 'status', 'hello', 'speed', 'connection', 'busy');
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('pointerdown', this.elsewhere);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('pointerdown', this.elsewhere);
  }

  private elsewhere = (e: Event): void => {
    if (this.open && !(e.target as HTMLElement).closest?.('studio-toolbar .menu')) this.toggle(null);
  };

  private toggle(menu: Toolbar['open']): void {
    this.open = this.open === menu ? null : menu;
    this.requestUpdate();
  }

  private item(label: string, key: string, run: () => void, disabled = false): TemplateResult {
    return html`<button ?disabled=${disabled} @click=${() => { this.toggle(null); run(); }}>${label}<span class="key">${key}</span></button>`;
  }

  private async openFromDisk(): Promise<void> {
    const file = await choose('.arm,text/plain');
    if (file) await this.actions.openFile(file);
  }

  override render() {
    const { scene, status, hello, speed } = this.state;
    const a = this.actions;
    const solvers = named(hello?.solvers);
    const playing = status?.playing ?? false;
    const now = scene?.settings?.now ?? {};
    const solver = status?.solver ?? now.solver ?? '';
    const ofGallery = (hello?.gallery ?? []).some((g) => g.name === scene?.name || g.name.split('/').pop() === scene?.name);
    return html`
      <span class="brand">${icons.logo}<span class="word">Armature</span></span>
      <button title="Gallery of scenes (Ctrl+O)" data-do="gallery" @click=${() => this.studio.store.set({ gallery: true })}>${icons.grid} <span class="word">Scenes</span></button>
      <div class="menu">
        <button data-do="file" @click=${() => this.toggle('file')}>${icons.file} <span class="word2">File</span> ${icons.down}</button>
        ${this.open === 'file' ? html`<div class="sheet">
          ${this.item('New scene', '', () => a.newScene())}
          ${this.item('Open a file…', '', () => void this.openFromDisk())}
          <hr />
          ${this.item('Save', 'Ctrl+S', () => void a.save())}
          ${this.item('Save as…', '', () => a.saveAs())}
          <hr />
          ${this.item('Export…', '', () => this.studio.store.set({ exporting: true }))}
          ${this.item('Keep what was dragged as text', '', () => void a.keepDrags())}
          ${this.item('Put the text into its usual form', '', () => a.format())}
          ${this.item('Report of the run', '', () => void a.runReport())}
        </div>` : nothing}
      </div>
      <div class="doc" title=${scene?.file ?? ''}>
        <b>${scene?.title || scene?.name || '–'}</b>
        <span>${scene?.dirty ? html`<span class="dirty">● </span>` : nothing}${scene?.file || (ofGallery && !scene?.dirty ? 'from the gallery' : 'not saved yet')}</span>
      </div>
      <button class="icon" data-do="undo" title="Undo (Ctrl+Z)" ?disabled=${!scene?.canUndo} @click=${() => a.undo()}>${icons.undo}</button>
      <button class="icon" data-do="redo" title="Redo (Ctrl+Shift+Z)" ?disabled=${!scene?.canRedo} @click=${() => a.redo()}>${icons.redo}</button>
      <span class="sep"></span>
      <button class="icon" data-do="reset" title="To the beginning (Backspace)" @click=${() => a.reset()}>${icons.reset}</button>
      <button class="icon" data-do="back" title="One frame back (←)" @click=${() => a.step(-1)}>${icons.stepBack}</button>
      <button class="icon play" data-do="play" title=${playing ? 'Pause (Space)' : 'Play (Space)'} @click=${() => a.playPause()}>${playing ? icons.pause : icons.play}</button>
      <button class="icon" data-do="on" title="One frame on (→)" @click=${() => a.step(1)}>${icons.stepOn}</button>
      <select data-do="speed" title="Speed (+ and −)" @change=${(e: Event) => a.setSpeed(Number((e.target as HTMLSelectElement).value))}>
        ${SPEEDS.map((s) => html`<option value=${s} ?selected=${s === speed}>${s === 0 ? 'as fast as it can' : `${s}×`}</option>`)}
      </select>
      <span class="sep"></span>
      <label class="labelled"><span class="word">Solver</span>
        <select data-do="solver" .value=${live(solver)} @change=${(e: Event) => void this.choose('solver', e.target as HTMLSelectElement)}>
          ${solvers.map((x) => html`<option value=${x.name} title=${x.summary ?? x.doc ?? ''} ?selected=${x.name === solver}>${x.name}</option>`)}
        </select>
      </label>
      <div class="menu">
        <button class="icon" data-do="settings" title="Scheme, step, iterations, budget" @click=${() => this.toggle('settings')}>${icons.sliders}</button>
        ${this.open === 'settings' ? this.settingsSheet() : nothing}
      </div>
      <div class="menu">
        <button class=${status?.ghost ? 'on' : ''} data-do="ghost" title="The same scene under a second solver, beside this one" @click=${() => this.toggle('ghost')}>${icons.ghost} <span class="word2">Compare</span></button>
        ${this.open === 'ghost' ? html`<div class="sheet">
          ${this.item('No ghost', status?.ghost ? '' : '✓', () => a.ghost(null))}
          <hr />
          ${solvers.map((x) => this.item(x.name, status?.ghost === x.name ? '✓' : '', () => a.ghost(x.name)))}
        </div>` : nothing}
      </div>
      <span class="spring"></span>
      <button class="edge" data-do="assemble" title="Make the joints hold from where the parts are now" ?disabled=${!!this.state.busy} @click=${() => void a.assemble()}>${icons.assemble} <span class="word2">Assemble</span></button>
      <button class="edge" data-do="doctor" title="What can move, what is held twice, what to change" ?disabled=${!!this.state.busy} @click=${() => void a.doctor()}>${icons.doctor} <span class="word2">Doctor</span></button>
      <button class="icon" data-do="help" title="All keys (?)" @click=${() => this.studio.store.set({ help: true })}>${icons.help}</button>
    `;
  }

  /** One that is refused does not stay in the box: that says what is in force. */
  private async choose(what: 'solver' | 'scheme', box: HTMLSelectElement): Promise<void> {
    const reply = await this.actions.settings({ [what]: box.value });
    if (!reply.ok) box.value = this.state.status?.[what] ?? '';
  }

  private settingsSheet(): TemplateResult {
    const { scene, status, hello } = this.state;
    const now: Partial<Settings> = scene?.settings?.now ?? {};
    const text: Partial<Settings> = scene?.settings?.text ?? {};
    const number = (name: 'dt' | 'iterations' | 'tolerance' | 'budget', label: string, unit: string) => {
      const value = now[name];
      const said = text[name];
      return html`<label>${label}</label>
        <span class="labelled"><input type="text" data-setting=${name} .value=${value === undefined || value === null ? '' : asFraction(value)}
          placeholder=${said === undefined || said === null ? '' : String(said)}
          @change=${(e: Event) => this.setNumber(name, (e.target as HTMLInputElement).value)} /> ${unit}</span>`;
    };
    return html`<div class="sheet"><div class="form">
      <label>Free motion</label>
      <select data-setting="scheme" @change=${(e: Event) => void this.choose('scheme', e.target as HTMLSelectElement)}>
        ${named(hello?.schemes).map((x) => html`<option value=${x.name} ?selected=${x.name === (status?.scheme ?? now.scheme)}>${x.name}</option>`)}
      </select>
      ${number('dt', 'Step', 's')}
      ${number('iterations', 'Iterations', '')}
      ${number('tolerance', 'Tolerance', 'm')}
      ${number('budget', 'Budget per step', 's')}
      <p>In force at once, from the present state. An empty field is as the text says; the text itself is not changed.</p>
      <button class="edge" style="grid-column: 1 / -1; justify-content: center" @click=${() => void this.actions.settings({ solver: null, scheme: null, dt: null, iterations: null, tolerance: null, budget: null })}>As the text says</button>
    </div></div>`;
  }

  private setNumber(name: keyof Settings, text: string): void {
    const fraction = /^\s*([\d.]+)\s*\/\s*([\d.]+)\s*$/.exec(text);
    const value = text.trim() === '' ? null : fraction ? Number(fraction[1]) / Number(fraction[2]) : Number(text);
    if (value !== null && !Number.isFinite(value)) this.studio.store.toast('error', `“${text}” is not a number.`);
    else void this.actions.settings({ [name]: value });
  }
}
customElements.define('studio-toolbar', Toolbar);
