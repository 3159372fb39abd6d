// Files out of the studio: glTF, CSV and the report come from the engine, pictures and films from the view.
import { html, nothing } from 'lit';
import { recordFilm } from '../view/film';
import { offer } from '../util/files';
import { icons } from './icons';
import { Panel } from './panel';

export class ExportDialog extends Panel {
  private width = 1920;
  private height = 1080;
  private from = 0;
  private to = 0;
  private progress = '';

  constructor() {
    super('exporting', 'status', 'loopRange');
  }

  private get base(): string {
    return (this.state.scene?.file || this.state.scene?.name || 'scene').split('/').pop()!.replace(/\.arm$/, '');
  }

  private async file(what: string, ending: string): Promise<void> {
    try {
      offer(await this.studio.engine.download(what), `${this.base}.${ending}`);
    } catch (error) {
      this.studio.store.toast('error', `The file could not be made: ${(error as Error).message}`);
    }
  }

  private async picture(): Promise<void> {
    offer(await this.studio.view!.picturePng(this.width, this.height), `${this.base}.png`);
  }

  private async film(): Promise<void> {
    const s = this.state.status;
    const range = this.state.loopRange ?? s?.recorded ?? [0, 0];
    const from = this.from || range[0], to = this.to || range[1];
    try {
      const blob = await recordFilm(this.studio, from, to, this.width, this.height, (done) => { this.progress = `${Math.round(100 * done)} %`; this.requestUpdate(); });
      offer(blob, `${this.base}.webm`);
    } catch (error) {
      this.studio.store.toast('error', (error as Error).message);
    }
    this.progress = '';
    this.requestUpdate();
  }

  override render() {
    if (!this.state.exporting) return nothing;
    const close = () => this.studio.store.set({ exporting: false });
    const number = (key: 'width' | 'height' | 'from' | 'to', fallback = '') => html`<input type="number" min="0" data-export=${key} style="width:96px" placeholder=${fallback} .value=${this[key] ? String(this[key]) : ''}
      @change=${(e: Event) => { this[key] = Math.max(0, Number((e.target as HTMLInputElement).value)); }} />`;
    const [first, last] = this.state.loopRange ?? this.state.status?.recorded ?? [0, 0];
    return html`<div class="shade" @pointerdown=${(e: Event) => e.target === e.currentTarget && close()}>
      <div class="dialog" role="dialog" aria-label="Export"><header><h2>Export</h2><span class="spring"></span><button class="icon" title="Close" @click=${close}>${icons.close}</button></header>
        <div class="body"><div class="grid2">
          <span>The recording</span><span>
            <button class="edge" data-export-file="glb" @click=${() => void this.file('glb', 'glb')}>glTF (.glb)</button>
            <button class="edge" data-export-file="csv" @click=${() => void this.file('csv', 'csv')}>CSV</button>
            <button class="edge" data-export-file="report" @click=${() => void this.file('report', 'report.json')}>Report</button>
            <button class="edge" data-export-file="recording" title="The text with every drag in it: it replays bit for bit" @click=${() => void this.file('recording', 'replay.arm')}>Replay (.arm)</button></span>
          <span>Size</span><span>${number('width')} × ${number('height')} <span class="dim">pixels</span></span>
          <span>Picture</span><span><button class="edge" data-export-file="png" @click=${() => void this.picture()}>PNG</button></span>
          <span>Frames</span><span>${number('from', String(first))} – ${number('to', String(last))}</span>
          <span>Film</span><span><button class="edge" data-export-file="webm" ?disabled=${this.progress !== '' || last <= first} @click=${() => void this.film()}>WebM</button> <span class="dim">${this.progress || (last <= first ? 'play first: nothing has been recorded' : '')}</span></span>
        </div></div></div></div>`;
  }
}
customElements.define('studio-export', ExportDialog);
