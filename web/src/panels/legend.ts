// Who is who while a second solver runs beside the first.
import { html, nothing } from 'lit';
import { Panel } from './panel';

export class Legend extends Panel {
  constructor() {
    super('status');
  }

  override render() {
    const s = this.state.status;
    if (!s?.ghost) return nothing;
    return html`<div class="legend"><span><i style="background:#e2ddd5"></i>${s.solver}</span><span><i style="background:#9fb8ff88"></i>${s.ghost}</span></div>`;
  }
}
customElements.define('studio-legend', Legend);
