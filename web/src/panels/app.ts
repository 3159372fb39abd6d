// The frame of the page: panes and the splitters between them.
import { html } from 'lit';
import type { Problem } from '../engine/messages';
import type { Tab } from '../state/store';
import { Panel } from './panel';
import './toolbar';
import './view';
import './legend';
import './notices';
import './outliner';
import './inspector';
import './timeline';
import './status';
import './gallery';
import './help';
import './toasts';
import './report';
import './export';
import './joint_maker';

/** A scene that takes long, or none at all, must not keep the text away. */
const LONGEST_WAIT_MS = 1500;
const SIZES = 'armature.sizes';
type Size = 'left' | 'right' | 'plots' | 'upper';

export class App extends Panel {
  private sizes: Partial<Record<Size, number>> = JSON.parse(localStorage.getItem(SIZES) ?? '{}') as Partial<Record<Size, number>>;
  private problems: Problem[] = [];
  /** On a small screen: which pane lies over the view. */
  private drawer: '' | 'left' | 'right' = '';

  constructor() {
    super('tab', 'report', 'plotsOpen');
  }

  /** A third of the page's weight is the editor and the plots: they may come when the scene is already to be seen. */
  private async loadRest(): Promise<void> {
    const end = performance.now() + LONGEST_WAIT_MS;
    while (!this.studio.view?.picture && performance.now() < end) await new Promise((r) => setTimeout(r, 20));
    await Promise.all([import('./text'), import('./plots')]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.loadRest();
    window.addEventListener('resize', () => this.requestUpdate());
    window.addEventListener('studio-problems', (e) => {
      this.problems = (e as CustomEvent<Problem[]>).detail;
      this.requestUpdate();
    });
  }

  /** Drags a splitter; `sign` says which way the pane grows. */
  private split(e: PointerEvent, size: Size, start: number, sign: number, vertical: boolean): void {
    const bar = e.currentTarget as HTMLElement;
    const from = vertical ? e.clientY : e.clientX;
    bar.setPointerCapture(e.pointerId);
    bar.classList.add('active');
    const move = (m: PointerEvent) => {
      this.sizes[size] = Math.max(90, Math.min(start + sign * ((vertical ? m.clientY : m.clientX) - from), vertical ? window.innerHeight - 240 : window.innerWidth / 2));
      this.requestUpdate();
    };
    const up = () => {
      bar.classList.remove('active');
      bar.removeEventListener('pointermove', move);
      localStorage.setItem(SIZES, JSON.stringify(this.sizes));
    };
    bar.addEventListener('pointermove', move);
    bar.addEventListener('pointerup', up, { once: true });
    bar.addEventListener('pointercancel', up, { once: true });
  }

  private tab(tab: Tab, label: string, badge?: unknown) {
    return html`<button role="tab" class=${this.state.tab === tab ? 'on' : ''} data-tab=${tab} @click=${() => this.studio.store.set({ tab })}>${label}${badge}</button>`;
  }

  override render() {
    // Until somebody drags a border, panes have their share of the window: the scene is what one came for.
    const part = (share: number, least: number, most: number, of: number) => Math.round(Math.max(least, Math.min(most, share * of)));
    const { left = part(0.16, 160, 230, window.innerWidth), right = part(0.28, 280, 400, window.innerWidth), plots = part(0.2, 120, 180, window.innerHeight) } = this.sizes;
    const upper = this.sizes.upper ?? Math.round(window.innerHeight * 0.36);
    const errors = this.problems.filter((p) => p.severity === 'error').length;
    const badge = errors ? html`<span class="badge">${errors}</span>` : this.problems.length ? html`<span class="badge warn">${this.problems.length}</span>` : '';
    const { tab } = this.state;
    const textOnly = tab === 'text';
    return html`
      <studio-toolbar></studio-toolbar>
      <div class="middle ${this.drawer ? `show-${this.drawer}` : ''}" style="--left:${left}px;--right:${right}px">
        <div class="pane"><div class="pane-head"><h2>Outline</h2></div><studio-outliner></studio-outliner></div>
        <div class="splitter" @pointerdown=${(e: PointerEvent) => this.split(e, 'left', left, 1, false)}></div>
        <studio-view></studio-view>
        <div class="drawers">${(['left', 'right'] as const).map((side) => html`<button class=${this.drawer === side ? 'on' : ''} data-drawer=${side} @click=${() => { this.drawer = this.drawer === side ? '' : side; this.requestUpdate(); }}>${side === 'left' ? 'Outline' : 'Inspector'}</button>`)}</div>
        <div class="splitter" @pointerdown=${(e: PointerEvent) => this.split(e, 'right', right, -1, false)}></div>
        <div class="pane">
          <div class="tabs" role="tablist">${this.tab('inspector', 'Inspector')}${this.tab('report', 'Report')}<span class="spring"></span>${this.tab('text', 'Text', badge)}</div>
          <div class="upper" style=${textOnly ? 'display:none' : `flex:0 0 ${upper}px`}>
            <studio-inspector style=${tab === 'inspector' ? '' : 'display:none'}></studio-inspector>
            <studio-report style=${tab === 'report' ? '' : 'display:none'}></studio-report>
          </div>
          <div class="splitter flat" style=${textOnly ? 'display:none' : ''} @pointerdown=${(e: PointerEvent) => this.split(e, 'upper', upper, 1, true)}></div>
          <studio-text></studio-text>
        </div>
      </div>
      <div class="bottom" style="--plots:${plots}px">
        ${this.state.plotsOpen ? html`<div class="splitter flat" @pointerdown=${(e: PointerEvent) => this.split(e, 'plots', plots, -1, true)}></div>` : ''}
        <studio-timeline></studio-timeline>
        <studio-plots></studio-plots>
      </div>
      <studio-status></studio-status>
      <studio-gallery></studio-gallery><studio-help></studio-help><studio-export></studio-export><studio-toasts></studio-toasts>`;
  }
}
