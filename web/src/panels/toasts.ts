import { html } from 'lit';
import { icons } from './icons';
import { Panel } from './panel';

export class Toasts extends Panel {
  constructor() {
    super('toasts');
  }

  override render() {
    return html`<div class="toasts" role="status">${this.state.toasts.map((t) => html`
      <div class="toast ${t.severity}"><span>${t.text}</span>
        ${t.action ? html`<button class="edge" @click=${() => { this.studio.store.dismiss(t.key); t.action!.run(); }}>${t.action.label}</button>` : ''}
        <button class="icon" title="Close" @click=${() => this.studio.store.dismiss(t.key)}>${icons.close}</button></div>`)}</div>`;
  }
}
customElements.define('studio-toasts', Toasts);
