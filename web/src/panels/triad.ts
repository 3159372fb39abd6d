// Which way x, y and z point from here, in a corner of the view. A click on one of them looks along it.
import { html, LitElement, svg, type TemplateResult } from 'lit';
import type { Vec3 } from '../engine/messages';
import { use } from '../studio';
import { unrotate } from '../view/pose';

const HALF = 38;
const ARM = 25;
const AXES: { name: string; to: Vec3; color: string }[] = [
  { name: 'x', to: [1, 0, 0], color: '#e0706c' }, { name: 'y', to: [0, 1, 0], color: '#86c06c' }, { name: 'z', to: [0, 0, 1], color: '#6ea3ea' },
];

export class Triad extends LitElement {
  private turn: number[] = [];

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** The camera's turn, before every picture; most pictures have the one before's. */
  show(turn: number[]): void {
    if (turn.every((x, i) => Math.abs(x - this.turn[i]) < 1e-4)) return;
    this.turn = turn;
    this.requestUpdate();
  }

  override render() {
    if (this.turn.length < 4) return html``;
    const ends = AXES.flatMap((a) => [1, -1].map((sign) => {
      const [x, y, depth] = unrotate(this.turn, a.to.map((c) => sign * c));
      return { ...a, sign, x: ARM * x, y: -ARM * y, depth };
    })).sort((a, b) => a.depth - b.depth);  // what is nearer is drawn over what is further
    const look = (e: (typeof ends)[number]) => use().view?.lookFrom(e.to.map((c) => e.sign * c) as Vec3);
    const title = (e: (typeof ends)[number]) => `From ${e.sign < 0 ? '−' : '+'}${e.name}`;
    return html`<svg viewBox="${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}" role="toolbar" aria-label="Directions">${ends.map((e): TemplateResult => svg`
      ${e.sign > 0 ? svg`<line x1="0" y1="0" x2=${e.x} y2=${e.y} stroke=${e.color}></line>` : ''}
      <g data-look=${(e.sign > 0 ? '+' : '-') + e.name} transform="translate(${e.x} ${e.y})" @click=${() => look(e)}><title>${title(e)}</title>
        <circle r=${e.sign > 0 ? 8 : 6} fill=${e.sign > 0 ? e.color : '#2a2f37'} stroke=${e.color}></circle>
        ${e.sign > 0 ? svg`<text y="3.6">${e.name}</text>` : ''}</g>`)}</svg>`;
  }
}
customElements.define('studio-triad', Triad);
