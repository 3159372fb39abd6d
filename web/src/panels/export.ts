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
    super('exporting', 'status');
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
    const from = this.from, to = this.to || s?.recorded[1] || 0;
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
    const last = String(this.state.status?.recorded?.[1] ?? 0);
    return html`<div class="shade" @pointerdown=${(e: Event) => e.target === e.currentTarget && close()}>
      <div class="dialog" role="dialog" aria-label="Export"><header><h2>Export</h2><span class="spring"></span><button class="icon" title="Close" @click=${close}>${icons.close}</button></header>
        <div class="body"><div class="grid2">
          <span>The recording</span><span>
            <button class="edge" data-export-file="glb" @click=${() => void this.file('glb', 'glb')}>glTF (.glb)</button>
            <button class="edge" data-export-file="csv" @click=${() => void this.file('csv', 'csv')}>CSV</button>
            <button class="edge" data-export-file="report" @click=${() => void this.file('report', 'report.json')}>Report</button>
            <button class="edge" data-export-file="recording" @click=${() => void this.file('recording', 'recording')}>Recording</button></span>
          <span>Size</span><span>${number('width')} × ${number('height')} <span class="dim">pixels</span></span>
          <span>Picture</span><span><button class="edge" data-export-file="png" @click=${() => void this.picture()}>PNG</button></span>
          <span>Frames</span><span>${number('from', '0')} – ${number('to', last)}</span>
          <span>Film</span><span><button class="edge" data-export-file="webm" ?disabled=${this.progress !== ''} @click=${() => void this.film()}>WebM</button> <span class="dim">${this.progress}</span></span>
        </div></div></div></div>`;
  }
}
customElements.define('studio-export', ExportDialog);
