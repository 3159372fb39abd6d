// All keys, from the table that the keyboard itself goes by.
import { html, nothing } from 'lit';
import { BINDINGS, type Binding } from '../state/keys';
import { icons } from './icons';
import { Panel } from './panel';

const GROUPS: Binding['group'][] = ['Mouse', 'Time', 'Tools', 'Edit', 'View'];

export class Help extends Panel {
  constructor() {
    super('help');
  }

  override render() {
    if (!this.state.help) return nothing;
    const close = () => this.studio.store.set({ help: false });
    return html`<div class="shade" @pointerdown=${(e: Event) => e.target === e.currentTarget && close()}>
      <div class="dialog" role="dialog" aria-label="Keys"><header><h2>Keys</h2><span class="spring"></span><button class="icon" title="Close" @click=${close}>${icons.close}</button></header>
        <div class="body"><div class="keys">${GROUPS.map((g) => html`<div><h3>${g}</h3>
          ${BINDINGS.filter((b) => b.group === g).map((b) => html`<div class="key-row"><span>${b.text}</span><span>${b.keys.filter((k) => k !== '=' && k !== '-').map((k) => html`<kbd>${k}</kbd> `)}</span></div>`)}</div>`)}</div></div>
      </div></div>`;
  }
}
customElements.define('studio-help', Help);
