// The status line: time, pace, solver, how well the joints hold – always in view.
import { html, nothing } from 'lit';
import { show, showLength } from '../util/numbers';
import { Panel } from './panel';

const many = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;

export class StatusLine extends Panel {
  constructor() {
    super('status', 'frame', 'connection', 'scene', 'detail');
  }

  override render() {
    const { status: s, frame, connection, scene, detail } = this.state;
    if (!s) return html`<span class="cell">${connection}</span>`;
    const state = connection !== 'open' ? connection : s.state;
    const led = connection !== 'open' || state.startsWith('failed') ? 'bad' : state === 'ok' ? 'ok' : 'warn';
    const time = frame ? frame.time : s.time;
    const gap = frame ? frame.gap : s.gap?.value;
    const worst = s.gap?.joint;
    return html`
      <span class="cell state" data-cell="state"><i class="led ${led}"></i>${s.playing ? 'running' : 'paused'}${state === 'ok' ? nothing : html` – ${state}`}</span>
      <span class="cell" data-cell="time">t <b>${time.toFixed(3)} s</b></span>
      <span class="cell" data-cell="rtf" title="Simulated time per real time">real time <b>${s.playing ? `${show(s.realTimeFactor, 2)}×` : '–'}</b></span>
      <span class="cell" data-cell="solver"><b>${s.solver}</b> · ${s.scheme} · ${show(s.dt * 1000)} ms</span>
      <span class="cell" data-cell="gap" title=${worst ? `at ${worst}` : ''} @click=${() => worst && this.actions.select(worst)}>worst gap <b>${gap === undefined || gap === null ? '–' : showLength(gap)}</b>${worst ? html` at ${worst}` : nothing}</span>
      <span class="cell" data-cell="cost" title="Time and iterations of a step">step <b>${show(s.stepMs, 2)} ms</b> ${s.iterations} it.</span>
      ${s.message ? html`<span class="cell message">${s.message}</span>` : html`<span class="spring"></span>`}
      <span class="cell" style="border:0" title="Solids, joints, viewers, detail of the picture">${scene ? `${many(scene.bodies.length - 1, 'solid')} · ${many(scene.joints.length, 'joint')}` : ''}${s.viewers > 1 ? ` · ${s.viewers} viewers` : ''}${detail > 0 ? ` · detail ${4 - detail}/4` : ''}</span>
    `;
  }
}
customElements.define('studio-status', StatusLine);
