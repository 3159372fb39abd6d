// What the assembly, the doctor or a run has to say; a click on a finding selects what it is about.
import { html, nothing } from 'lit';
import type { Report } from '../state/store';
import { wiggle } from '../view/wiggle';
import { Panel } from './panel';

export class ReportPanel extends Panel {
  constructor() {
    super('report');
  }

  private show(f: NonNullable<Report['findings']>[number]): void {
    if (f.names.length) this.studio.store.set({ selection: f.names });
    if (f.motion && this.studio.view) wiggle(this.studio.view, f.motion);
    else if (f.line > 0) this.actions.goTo(f.line);
  }

  override render() {
    const r = this.state.report;
    if (!r) return html`<div class="empty" style="padding:8px">Assemble, Doctor and the report of a run are shown here.</div>`;
    return html`
      <div class="verdict">${r.good === null ? nothing : html`<i class="led ${r.good ? 'ok' : 'bad'}"></i>`}${r.title}</div>
      ${r.text ? html`<pre>${r.text}</pre>` : nothing}
      ${r.culprits.length ? html`<h4>What could not be satisfied</h4>${r.culprits.map((c) => html`<div class="finding" style="border-left-color:var(--bad)" @click=${() => this.studio.store.set({ selection: [c] })}>${c}</div>`)}` : nothing}
      ${(r.findings ?? []).map((f) => html`<div class="finding" style="border-left-color:${f.kind.includes('freedom') ? 'var(--accent)' : 'var(--warm)'}" @click=${() => this.show(f)}><small>${f.kind}${f.motion ? ' – click to see it' : ''}</small>${f.sentence.replace(/`/g, '')}</div>`)}`;
  }
}
customElements.define('studio-report', ReportPanel);
