// What the view itself has to say: that there is nothing yet and how to begin, that the text has errors, that the
// solver gave up. Over the picture, because that is where somebody looks who wonders why nothing moves.
import { html, nothing, type TemplateResult } from 'lit';
import { Panel } from './panel';

export class Notices extends Panel {
  constructor() {
    super('scene', 'status', 'busy', 'tool', 'jobs', 'jointPicks', 'connection');
  }

  private errors(): TemplateResult | null {
    const errors = (this.state.scene?.problems ?? []).filter((p) => p.severity === 'error');
    if (errors.length === 0) return null;
    const [first] = errors;
    const empty = (this.state.scene?.bodies.length ?? 0) <= 1;
    return html`<div class="notice bad" data-notice="errors"><b>${errors.length === 1 ? 'One error' : `${errors.length} errors`} in the text</b>
      <span>${empty ? 'There is nothing to show until it is mended.' : 'This is the last scene that was whole.'}</span>
      <button class="edge" @click=${() => this.actions.goTo(first.line, first.column, first.file)}>Line ${first.line}</button></div>`;
  }

  private failed(): TemplateResult | null {
    const state = this.state.status?.state ?? '';
    if (!state.startsWith('failed')) return null;
    return html`<div class="notice bad" data-notice="failed"><b>The simulation failed at ${state.replace(/^failed:? */, '') || 'this frame'}</b>
      <span>Its numbers are too large or no numbers any more.</span>
      <button class="edge" @click=${() => this.actions.reset()}>To the beginning</button></div>`;
  }

  private empty(): TemplateResult | null {
    const { scene, tool } = this.state;
    if (!scene || tool === 'joint' || scene.bodies.some((b, i) => i > 0 && !b.shapes.some((s) => s.kind === 'plane'))) return null;
    return html`<div class="begin" data-notice="empty"><h3>An empty scene</h3>
      <p><kbd>A</kbd> adds a solid, <kbd>J</kbd> joins two, <kbd>Space</kbd> lets them go.</p>
      <p class="dim">Or write in the text at the right, drop a file here, or take one of the <button class="link" @click=${() => this.studio.store.set({ gallery: true })}>scenes</button>.</p></div>`;
  }

  override render() {
    if (this.state.connection !== 'open') return nothing;
    const { jobs, busy, tool, jointPicks } = this.state;
    const picking = tool === 'joint' && jointPicks.length < 2;
    return html`<div class="notices">${this.errors() ?? this.failed() ?? nothing}
      ${jobs.map((j) => html`<div class="notice" data-notice="job"><span>${JOBS[j.what] ?? j.what}</span><progress max="1" .value=${j.done}></progress>
        <button class="edge" @click=${() => this.actions.cancel(j.job)}>Give up</button></div>`)}
      ${busy && jobs.length === 0 ? html`<div class="notice">${busy}</div>` : nothing}
      ${picking ? html`<div class="notice">${jointPicks.length === 0 ? 'Click a point of the first solid' : 'Click a point of the second solid, or of the floor'} <span class="dim">Esc ends</span></div>` : nothing}</div>
      ${this.errors() ? nothing : (this.empty() ?? nothing)}`;
  }
}

const JOBS: Record<string, string> = { glb: 'Writing glTF…', csv: 'Writing CSV…', doctor: 'Looking at the mechanism…' };

customElements.define('studio-notices', Notices);
