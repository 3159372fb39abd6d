// A joint from two picked points: its type, its axis, and what it would leave free – which one of the solids shows by
// moving that way.
import { html, nothing } from 'lit';
import type { Vec3 } from '../engine/messages';
import { jointBlock, JOINT_TYPES } from '../language/templates';
import { freshName } from '../state/names';
import { longAxis } from '../view/pick';
import { directionToWorld, unit, unrotate } from '../view/pose';
import { previewWith, worldPoint } from '../view/joint_preview';
import { Panel } from './panel';

type AxisChoice = 'x' | 'y' | 'z' | 'surface' | 'first' | 'second';
const AXES: Record<AxisChoice, string> = {
  x: 'x of the world', y: 'y of the world', z: 'z of the world', surface: 'normal of the first surface', first: 'length of the first solid', second: 'length of the second solid',
};
const WORLD: Record<'x' | 'y' | 'z', Vec3> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

export class JointMaker extends Panel {
  private type = 'pin';
  private axis: AxisChoice = 'z';

  constructor() {
    super('jointPicks', 'tool');
  }

  private worldAxis(): Vec3 {
    const view = this.studio.view!;
    const [first, second] = this.state.jointPicks;
    const world = (body: number, axis: Vec3) => unit(directionToWorld(view.poses, body, axis));
    switch (this.axis) {
      case 'surface': return world(first.body, first.normal);
      case 'first': return world(first.body, longAxis(this.state.scene!.bodies[first.body]));
      case 'second': return world(second.body, longAxis(this.state.scene!.bodies[second.body]));
      default: return WORLD[this.axis];
    }
  }

  override updated(): void {
    const view = this.studio.view;
    const picks = this.state.jointPicks;
    if (!view || this.state.tool !== 'joint' || picks.length < 2) return previewWith(null);
    // The first one, unless it is what stands still.
    const moves = (body: number) => body > 0 && ['dynamic', 'particle'].includes(this.state.scene!.bodies[body].kind);
    const shows = moves(picks[0].body) ? picks[0] : picks[1];
    previewWith({ body: moves(shows.body) ? shows.body : 0, point: worldPoint(view, shows.body, shows.point), axis: this.worldAxis(), type: this.type });
  }

  private async make(): Promise<void> {
    const view = this.studio.view!;
    const scene = this.state.scene!;
    const [a, b] = this.state.jointPicks;
    previewWith(null);
    const axis = this.worldAxis();
    const ok = await this.actions.addBlock(jointBlock({
      name: freshName(scene, `${this.type}-joint`.replace(/_/g, '-')), type: this.type,
      object1: scene.bodies[a.body].name, object2: scene.bodies[b.body].name, p1: a.point, p2: b.point,
      axis1: unrotate(view.poses, axis, 7 * a.body + 3), axis2: unrotate(view.poses, axis, 7 * b.body + 3),
    }));
    if (ok) this.studio.store.set({ tool: 'select', jointPicks: [] });
  }

  override render() {
    const picks = this.state.jointPicks;
    if (this.state.tool !== 'joint' || picks.length < 2) return nothing;
    const scene = this.state.scene!;
    const kind = JOINT_TYPES.find((t) => t.type === this.type)!;
    return html`<div class="maker">
      <h3>${scene.bodies[picks[0].body].name} – ${scene.bodies[picks[1].body].name}</h3>
      <div class="field"><label>Joint</label><select data-do="joint-type" @change=${(e: Event) => { this.type = (e.target as HTMLSelectElement).value; this.requestUpdate(); }}>
        ${JOINT_TYPES.map((t) => html`<option value=${t.type} ?selected=${t.type === this.type}>${t.type}</option>`)}</select></div>
      <div class="field"><label>Axis</label><select data-do="joint-axis" @change=${(e: Event) => { this.axis = (e.target as HTMLSelectElement).value as AxisChoice; this.requestUpdate(); }}>
        ${(Object.keys(AXES) as AxisChoice[]).map((c) => html`<option value=${c} ?selected=${c === this.axis}>${AXES[c]}</option>`)}</select></div>
      <p class="dim" style="margin:8px 0 4px">${kind.what}. Free:</p>
      <div class="freedoms">${kind.turns.map((t) => html`<span>${t}</span>`)}${kind.slides.map((t) => html`<span class="slide">${t}</span>`)}${kind.turns.length + kind.slides.length === 0 ? html`<span class="none">nothing</span>` : nothing}</div>
      <div style="display:flex;gap:6px"><button class="primary" data-do="make-joint" @click=${() => void this.make()}>Add joint</button>
      <button @click=${() => this.studio.store.set({ jointPicks: [] })}>Pick again</button></div>
    </div>`;
  }
}
customElements.define('studio-joint-maker', JointMaker);
