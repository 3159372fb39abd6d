// Quantities against time, one graph per unit, with the shown frame as a line. While the simulation runs they are asked
// for a few times a second: plots are for looking, the engine is for simulating.
import { html, nothing } from 'lit';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Quantity, Series } from '../engine/messages';
import { show } from '../util/numbers';
import { icons } from './icons';
import { Panel } from './panel';

const EVERY_MS = 400;
const COLORS = ['#62b0f0', '#eda95c', '#74c395', '#d98ad0', '#d9d36a', '#ee6a6f', '#8fd0c0'];
const GHOST = '#9fb8ff';

/** Below is round-off, and a logarithm has no zero. */
const SMALLEST_GAP = 1e-15;
/** Lines of a logarithmic axis at whole powers only, and at every third where there are many. */
function powers(_u: uPlot, splits: number[]): (number | null)[] {
  const stride = Math.log10(splits[splits.length - 1] / splits[0]) > 6 ? 3 : 1;
  return splits.map((s) => {
    const e = Math.log10(s);
    return Math.abs(e - Math.round(e)) < 1e-9 && Math.round(e) % stride === 0 ? s : null;
  });
}
const power = (t: number) => show(t, 1).replace(/^1·/, '');
/** As many digits as it takes to tell neighbours apart. */
function linear(t: number, step: number): string {
  if (Math.abs(t) >= 1e5) return show(t, 3);
  let digits = 0;
  while (digits < 8 && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6) digits++;
  return t.toFixed(digits).replace('-', '−');
}

/** Gaps differ by powers of ten between solvers: only a logarithmic scale shows both. */
const isGap = (s: Series) => /(^|[._])gap$|\.error$/.test(s.name);

export class Plots extends Panel {
  private time: number[] = [];
  private series: Series[] = [];
  private known: Quantity[] = [];
  private graphs: { plot: uPlot; names: string[] }[] = [];
  private key = '';
  private timer = 0;
  private asking = false;
  private stale = true;

  constructor() {
    super('plotted', 'plotsOpen');
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { store } = this.studio;
    store.on(['status', 'plotted', 'plotsOpen', 'scene'], (changed) => {
      if (changed.has('scene')) { this.known = []; this.key = ''; }
      this.stale = true;
    });
    store.on(['frame'], () => this.graphs.forEach((g) => this.moveLine(g.plot)));
    this.timer = window.setInterval(() => void this.ask(), EVERY_MS);
    new ResizeObserver(() => this.fit()).observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  private async ask(): Promise<void> {
    const { plotsOpen, plotted, connection, scene } = this.state;
    if (!plotsOpen || !this.stale || this.asking || connection !== 'open' || !scene) return;
    this.stale = false;
    this.asking = true;
    try {
      if (this.known.length === 0) {
        const reply = await this.studio.engine.send('quantities');
        if (reply.ok) { this.known = (reply.quantities as Quantity[] | undefined) ?? []; this.requestUpdate(); }
      }
      if (plotted.length === 0) { this.series = []; this.draw(); return; }
      const reply = await this.studio.engine.send('plot', { quantities: plotted, from: 0 });
      if (reply.ok) {
        if ((reply.time as number[]).length < 2 !== this.time.length < 2) this.requestUpdate();
        this.time = reply.time as number[];
        this.series = reply.series as Series[];
        this.draw();
      } else {
        // A name of another scene: what this one does not have is taken off the list.
        const names = new Set(this.known.map((q) => q.name));
        const left = plotted.filter((q) => names.has(q) || q === 'gap' || q.startsWith('ghost.'));
        this.studio.store.set({ plotted: left.length < plotted.length ? left : ['energy', 'gap'] });
      }
    } finally {
      this.asking = false;
    }
  }

  private color(name: string): string {
    const i = this.state.plotted.filter((q) => !q.startsWith('ghost.')).indexOf(name.replace(/^ghost\./, ''));
    return name.startsWith('ghost.') ? GHOST : COLORS[Math.max(0, i) % COLORS.length];
  }

  /** One graph per unit; anew only when the set of curves changes. */
  private draw(): void {
    const byUnit = new Map<string, Series[]>();
    // Gaps have an axis of their own: beside a coordinate in metres they would be a line at zero.
    for (const s of this.series) {
      const group = isGap(s) ? 'gap' : s.unit;
      byUnit.set(group, [...(byUnit.get(group) ?? []), s]);
    }
    const key = [...byUnit].map(([u, list]) => `${u}:${list.map((s) => s.name).join()}`).join('|');
    const host = this.querySelector('.graphs');
    if (!host) return;
    const data = [...byUnit.values()].map((list) =>
      [this.time, ...list.map((s) => (isGap(s) ? s.values.map((v) => (v === null || v < SMALLEST_GAP ? SMALLEST_GAP : v)) : s.values))] as uPlot.AlignedData);
    if (key === this.key && this.graphs.length === data.length) {
      this.graphs.forEach((g, i) => g.plot.setData(data[i]));
      return;
    }
    this.key = key;
    this.graphs.forEach((g) => g.plot.destroy());
    host.replaceChildren();
    this.graphs = [...byUnit.values()].map((list, i) => {
      const box = document.createElement('div');
      box.className = 'graph';
      host.append(box);
      return { plot: this.make(box, list, data[i]), names: list.map((s) => s.name) };
    });
    this.fit();
  }

  private make(box: HTMLElement, list: Series[], data: uPlot.AlignedData): uPlot {
    const { unit } = list[0];
    const axis = { stroke: '#8f97a5', font: '10.5px system-ui', grid: { stroke: '#ffffff10', width: 1 }, ticks: { stroke: '#ffffff10', width: 1 } };
    const log = isGap(list[0]);
    return new uPlot({
      width: 300, height: 120, padding: [10, 12, 0, 0], legend: { show: false },
      cursor: { y: false, points: { size: 6 } },
      scales: { x: { time: false, range: (_u, min, max) => (max > min ? [min, max] : [min ?? 0, (min ?? 0) + 1]) }, y: log ? { distr: 3, log: 10 } : {} },
      axes: [
        { ...axis, size: 24 },
        { ...axis, ...(log ? { grid: { ...axis.grid, filter: powers }, ticks: { ...axis.ticks, filter: powers }, filter: powers } : {}), size: 62, gap: 4, label: list[0].name.replace(/^ghost\./, '') + (unit ? ` (${unit})` : ''), labelSize: 16, labelFont: '10.5px system-ui', values: (_u, ticks, _axis, _space, step) => ticks.map((t) => (t === null ? '' : log ? power(t) : linear(t, step))) },
      ],
      series: [{}, ...list.map((s) => ({ label: s.name, stroke: this.color(s.name), width: s.name.startsWith('ghost.') ? 1.4 : 1.8, dash: s.name.startsWith('ghost.') ? [5, 3] : undefined, points: { show: false } }))],
      hooks: { draw: [(u) => this.line(u)], ready: [(u) => u.over.addEventListener('click', () => this.jump(u))] },
    }, data, box);
  }

  private line(u: uPlot): void {
    const t = this.state.frame?.time;
    if (t === undefined) return;
    const x = Math.round(u.valToPos(t, 'x', true));
    u.ctx.fillStyle = '#e9f3fc90';
    u.ctx.fillRect(x, u.bbox.top, 1, u.bbox.height);
  }

  private lineWaits = false;
  private moveLine(u: uPlot): void {
    if (this.lineWaits || this.state.status?.playing) return;  // while it runs the data come anyway
    this.lineWaits = true;
    requestAnimationFrame(() => { this.lineWaits = false; u.redraw(false); });
  }

  private jump(u: uPlot): void {
    const i = u.cursor.idx;
    if (i === null || i === undefined) return;
    const first = this.state.status?.recorded?.[0] ?? 0;
    this.actions.seek(first + i);
  }

  private fit(): void {
    const host = this.querySelector('.graphs');
    if (!host || this.graphs.length === 0) return;
    const width = host.clientWidth / this.graphs.length - 10, height = host.clientHeight - 4;
    if (width > 40 && height > 30) this.graphs.forEach((g) => g.plot.setSize({ width, height }));
  }

  private add(name: string): void {
    const { plotted } = this.state;
    if (!name || plotted.includes(name)) return;
    // The list of names may not be there yet; then the engine is the judge.
    if (this.known.length && !this.known.some((q) => q.name === name)) this.studio.store.toast('warning', `There is nothing called “${name}” to plot.`);
    else this.studio.store.set({ plotted: [...plotted, name] });
  }

  override updated(): void {
    if (!this.state.plotsOpen) { this.graphs.forEach((g) => g.plot.destroy()); this.graphs = []; this.key = ''; }
    else if (this.graphs.length === 0 && this.series.length) this.draw();
    else this.fit();
  }

  override render() {
    this.style.display = this.state.plotsOpen ? '' : 'none';
    if (!this.state.plotsOpen) return nothing;
    const { plotted } = this.state;
    return html`<div class="plots-head">
        ${plotted.map((name) => html`<span class="chip"><i style="background:${this.color(name)}"></i>${name}<button title="Take away" @click=${() => this.studio.store.set({ plotted: plotted.filter((q) => q !== name) })}>${icons.close}</button></span>`)}
        <input type="text" list="quantities" data-do="add-plot" placeholder="Plot… (energy, link[3].at.y)" style="width:220px;height:24px"
          @change=${(e: Event) => { const input = e.target as HTMLInputElement; this.add(input.value.trim()); input.value = ''; }} />
        <datalist id="quantities">${this.known.slice(0, 2000).map((q) => html`<option value=${q.name}>${q.unit}</option>`)}</datalist>
      </div>${this.time.length < 2 ? html`<div class="empty plots-empty">Curves appear here as the scene runs.</div>` : nothing}<div class="graphs"></div>`;
  }
}
customElements.define('studio-plots', Plots);
