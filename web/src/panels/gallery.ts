// The gallery of scenes that come with Armature.
import { html, nothing } from 'lit';
import { icons } from './icons';
import { Panel } from './panel';

/** The words come from a page in Markdown: without its pictures, links and quotes. */
export const plain = (what: string) => what.replace(/<[^>]*>/g, '').replace(/\[[^\]]*\]\([^)]*\)/g, '').replace(/`/g, '').replace(/^[\s:[\]]+/, '').trim();

export class Gallery extends Panel {
  private thumbs = new Map<string, string>();
  private asked = false;
  private query = '';

  constructor() {
    super('gallery', 'hello');
  }

  /** Pictures are fetched when the gallery first opens: a page that only simulates never asks for them. */
  private async fetchThumbs(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    for (const { name } of this.state.hello?.gallery ?? []) {
      try {
        this.thumbs.set(name, await this.studio.engine.thumbnail(name));
        this.requestUpdate();
      } catch {
        this.thumbs.set(name, '');  // a scene without a picture is still a scene
      }
    }
  }

  override render() {
    if (!this.state.gallery) return nothing;
    void this.fetchThumbs();
    const q = this.query.toLowerCase();
    const list = (this.state.hello?.gallery ?? []).filter((g) => `${g.name} ${g.title} ${g.what}`.toLowerCase().includes(q));
    const close = () => this.studio.store.set({ gallery: false });
    return html`<div class="shade" @pointerdown=${(e: Event) => e.target === e.currentTarget && close()}>
      <div class="dialog" role="dialog" aria-label="Scenes">
        <header><h2>Scenes</h2><span class="dim">${list.length}</span><span class="spring"></span>
          <input type="search" placeholder="Search" .value=${this.query} @input=${(e: Event) => { this.query = (e.target as HTMLInputElement).value; this.requestUpdate(); }} />
          <button class="icon" title="Close" @click=${close}>${icons.close}</button></header>
        <div class="body"><div class="cards">${list.map((g) => html`
          <button class="card-scene" data-scene=${g.name} @click=${() => void this.actions.open({ scene: g.name })}>
            <span class="thumb" style="padding:0">${this.thumbs.get(g.name) ? html`<img src=${this.thumbs.get(g.name)!} alt="" />` : icons.object}</span>
            <b>${g.title || g.name}</b><span>${plain(g.what)}</span></button>`)}</div></div>
      </div></div>`;
  }
}
customElements.define('studio-gallery', Gallery);
