// Everything is recorded; this is where one goes back. Drag to scrub, drag with Shift to choose a range to loop.
import { html, nothing } from 'lit';
import { ticks } from '../util/numbers';
import { icons } from './icons';
import { Panel } from './panel';

export class Timeline extends Panel {
  private from: number | null = null;

  constructor() {
    super('status', 'frame', 'loopRange', 'plotsOpen');
  }

  private get last(): number {
    return Math.max(this.state.status?.recorded?.[1] ?? 0, this.state.frame?.frame ?? 0);
  }

  private frameAt(e: PointerEvent): number {
    const box = this.querySelector('.track')!.getBoundingClientRect();
    const first = this.state.status?.recorded?.[0] ?? 0;
    const share = Math.max(0, Math.min(1, (e.clientX - box.left) / box.width));
    return Math.round(first + share * (this.last - first));
  }

  private down(e: PointerEvent): void {
    (e.currentTarget as HTMLElement).setPointerCapture(e.pointerId);
    const frame = this.frameAt(e);
    if (e.shiftKey) this.from = frame;
    else {
      this.from = null;
      if (this.state.status?.playing) void this.actions.run('pause');
      this.actions.seek(frame);
    }
  }

  private move(e: PointerEvent): void {
    if (!(e.currentTarget as HTMLElement).hasPointerCapture(e.pointerId)) return;
    const frame = this.frameAt(e);
    if (this.from !== null) this.studio.store.set({ loopRange: [Math.min(this.from, frame), Math.max(this.from, frame)] });
    else this.actions.seek(frame);
  }

  private up(): void {
    const range = this.state.loopRange;
    if (this.from !== null && range && range[1] > range[0]) this.actions.loop(range);
    this.from = null;
  }

  override render() {
    const { status: s, frame, loopRange } = this.state;
    const first = s?.recorded?.[0] ?? 0, last = this.last;
    const share = (f: number) => (last > first ? (100 * (f - first)) / (last - first) : 0);
    const at = frame?.frame ?? s?.frame ?? 0;
    const dt = s?.dt ?? 1 / 60;
    // What is oldest may be gone: the line then begins later than at zero.
    const begin = first * dt, seconds = (last - first) * dt;
    return html`
      <button class="icon ${loopRange ? 'on' : ''}" data-do="loop" title="Loop the recording, or the range chosen with Shift-drag" @click=${() => this.actions.loop(loopRange ? null : [first, last])}>${icons.loop}</button>
      <div class="track" role="slider" aria-label="Time" aria-valuemin=${first} aria-valuemax=${last} aria-valuenow=${at}
        @pointerdown=${this.down} @pointermove=${this.move} @pointerup=${this.up} @pointercancel=${this.up}>
        <div class="rail"></div>
        <div class="done" style="width:${share(at)}%"></div>
        ${loopRange ? html`<div class="loop" style="left:${share(loopRange[0])}%;width:${share(loopRange[1]) - share(loopRange[0])}%"></div>` : nothing}
        ${ticks(begin, begin + seconds).map((t) => html`<span class="tick" style="left:${seconds > 0 ? (100 * (t - begin)) / seconds : 0}%">${Number(t.toFixed(3))}</span>`)}
        <div class="head" style="left:${share(at)}%"></div>
      </div>
      <span class="clock"><b>${(frame?.time ?? s?.time ?? 0).toFixed(3)} s</b> · frame ${at} / ${last}</span>
      <button class="icon ${this.state.plotsOpen ? 'on' : ''}" data-do="plots" title="Plots (P)" @click=${() => this.studio.store.set({ plotsOpen: !this.state.plotsOpen })}>${icons.chart}</button>
    `;
  }
}
customElements.define('studio-timeline', Timeline);
