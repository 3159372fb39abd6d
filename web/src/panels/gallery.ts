// The gallery of scenes that come with Armature.
import { html, nothing } from 'lit';
import { icons } from './icons';
import { Panel } from './panel';

/** The words come from a page in Markdown. With a picture in them they are not this scene's. */
export const plain = (what: string) => (/<img/.test(what) ? '' : what.replace(/`/g, ''));

const GROUPS = [
  { folder: '', title: '' },
  { folder: 'joints', title: 'One scene for each joint' },
  { folder: 'domains', title: 'One scene for each domain' },
];
const folderOf = (name: string) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : '');

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
        <div class="body">${GROUPS.map(({ folder, title }) => ({ title, scenes: list.filter((g) => folderOf(g.name) === folder) })).filter((g) => g.scenes.length).map(({ title, scenes }) => html`
          ${title ? html`<h3 class="dim">${title}</h3>` : nothing}<div class="cards">${scenes.map((g) => html`
          <button class="card-scene" data-scene=${g.name} @click=${() => void this.actions.open({ scene: g.name })}>
            <span class="thumb" style="padding:0">${this.thumbs.get(g.name) ? html`<img src=${this.thumbs.get(g.name)!} alt="" />` : icons.object}</span>
            <b>${g.title || g.name}</b><span>${plain(g.what)}</span></button>`)}</div>`)}</div>
      </div></div>`;
  }
}
customElements.define('studio-gallery', Gallery);
