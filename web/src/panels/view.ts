// The 3D view with what lies over it: tools, what is shown, names, the pins, messages.
import { html, nothing } from 'lit';
import { Gizmo } from '../view/gizmo';
import { Pointer } from '../view/pointer';
import { toWorld } from '../view/pose';
import { Viewport } from '../view/viewport';
import { bodyIndex, bodyOf } from '../state/names';
import type { Series, Vec3 } from '../engine/messages';
import type { SolidKind } from '../language/templates';
import type { Tool } from '../state/store';
import { icons } from './icons';
import { Panel } from './panel';
import { JointPreview } from '../view/joint_preview';
import type { Triad } from './triad';
import './triad';

const TOOLS: [Tool, keyof typeof icons, string][] = [
  ['select', 'select', 'Select (Q)'], ['move', 'move', 'Move (W)'], ['turn', 'turn', 'Turn (E)'], ['scale', 'scale', 'Scale (R)'],
];
const SOLIDS: SolidKind[] = ['box', 'sphere', 'cylinder', 'capsule', 'ellipsoid', 'particle', 'floor'];

export class ViewPanel extends Panel {
  private view: Viewport | null = null;
  private pointer: Pointer | null = null;
  private gizmo: Gizmo | null = null;
  private tip: { x: number; y: number; name: string; what: string } | null = null;

  constructor() {
    super('adding', 'tool', 'space', 'snap', 'loose', 'showJoints', 'showLimits', 'showTrails', 'showShadows', 'showNames', 'selection', 'connection', 'busy', 'scene', 'jointPicks');
  }

  override firstUpdated(): void {
    const canvas = this.querySelector('canvas')!;
    const level = Number(new URLSearchParams(location.search).get('detail') ?? 0);
    const { store } = this.studio;
    try {
      this.view = new Viewport(canvas, level);
    } catch {
      store.toast('error', 'This browser cannot draw in three dimensions (WebGL is missing).', { sticky: true });
      return;
    }
    const view = this.view;
    this.studio.view = view;
    this.gizmo = new Gizmo(this.studio, view);
    this.pointer = new Pointer(this.studio, view, this.gizmo);
    const preview = new JointPreview(this.studio, view);
    this.pointer.onHover = (x, y, name, what) => {
      this.tip = name ? { x, y, name, what } : null;
      this.requestUpdate();
    };
    view.onDetail = (detail) => store.set({ detail });
    view.beforeDraw = () => this.marks();
    new ResizeObserver(() => view.resize(this.clientWidth, this.clientHeight)).observe(this);
    store.on(['selection'], () => view.select(store.state.selection));
    store.on(['hover'], () => view.hover(store.state.hover));
    store.on(['showJoints', 'showLimits', 'showTrails', 'showShadows'], () => this.applyShow());
    store.on(['trails', 'scene'], () => this.applyTrails());
    store.on(['frame'], () => {
      this.gizmo?.settle();
      this.pointer?.pull?.frame(store.state.frame?.gap ?? 0);
      preview.settle();
    });
    let drags = '';
    store.on(['status', 'scene'], () => {
      const now = JSON.stringify(store.state.status?.drags ?? []);
      if (now !== drags) view.redraw();
      drags = now;
      this.holdSolids();
    });
    this.pointer.onPull = () => this.holdSolids();
    this.applyShow();
    if (store.state.scene) view.setScene(store.state.scene, true);
    if (store.state.frame) view.setFrame(store.state.frame);
  }

  private applyShow(): void {
    const s = this.state;
    this.view?.setShow({ joints: s.showJoints, limits: s.showLimits, trails: s.showTrails, shadows: s.showShadows });
  }

  private applyTrails(): void {
    const { scene, trails } = this.state;
    if (!scene) return;
    this.view?.trails.set(trails.map((t) => ({ body: bodyIndex(scene, t.body), point: t.point })).filter((t) => t.body > 0));
    for (const t of trails) void this.pastOf(t.body, t.point);
  }

  /** A trail begins with what the recording knows of it: nobody chooses it before knowing that it is wanted. */
  private async pastOf(name: string, point: Vec3): Promise<void> {
    const { scene } = this.state;
    const quantities = ['at.x', 'at.y', 'at.z', 'quaternion.x', 'quaternion.y', 'quaternion.z', 'quaternion.w'].map((q) => `${name}.${q}`);
    const reply = await this.studio.engine.send('plot', { quantities, from: 0 });
    const series = reply.series as Series[] | undefined;
    if (!reply.ok || !series || series.length < 7 || scene !== this.state.scene) return;
    const places = series[0].values.map((_, i) => toWorld(series.map((s) => s.values[i] ?? NaN), 0, point));
    this.view?.trails.fill(bodyIndex(scene!, name), point, Number(reply.from), places, this.state.frame?.frame ?? 0);
    this.view?.redraw();
  }

  /** Dragged by a mouse, here or in another viewer, by a pin, or by a `drag` of the text. */
  private holdSolids(): void {
    const { scene, status } = this.state;
    if (!scene) return;
    const held = new Set((status?.drags ?? []).map((d) => bodyIndex(scene, d.solid)));
    for (const joint of scene.joints) if (joint.drag) held.add(bodyOf(scene, joint.body1)).add(bodyOf(scene, joint.body2));
    // At once, not when the next status comes.
    if (this.pointer?.pull) held.add(this.pointer.pull.pick.body);
    this.view?.hold(new Set([...held].filter((b) => b > 0)));
  }

  /** Pins, picked points: as many pixels wide as before, wherever the camera is. */
  private marks(): void {
    const view = this.view!;
    const { scene, status, jointPicks } = this.state;
    const poses = view.shownPoses();
    this.querySelector<Triad>('studio-triad')?.show(view.camera.quaternion.toArray());
    view.marks.beginDots();
    if (scene) {
      for (const drag of status?.drags ?? []) {
        const b = bodyIndex(scene, drag.solid);
        if (b < 0 || 7 * b + 7 > poses.length) continue;
        const p = toWorld(poses, b, drag.point);
        view.marks.dot(p, view.pixelSize(p) * 6, drag.pin ? 0xff7a59 : 0xffc66b);
      }
      for (const pick of jointPicks) {
        const p = toWorld(poses, pick.body, pick.point);
        view.marks.dot(p, view.pixelSize(p) * 6, 0x6cf0c0);
      }
    }
    view.marks.endDots();
  }

  override render() {
    const s = this.state;
    const { store } = this.studio;
    return html`
      <canvas tabindex="0" aria-label="The scene in three dimensions"></canvas>
      <div class="strip tools" role="toolbar" aria-label="Tools">
        ${TOOLS.map(([tool, icon, title]) => html`
          <button class="icon ${s.tool === tool ? 'on' : ''}" data-tool=${tool} title=${title} @click=${() => store.set({ tool, jointPicks: [] })}>${icons[icon]}</button>`)}
        <button class="icon" data-do="space" title=${s.space === 'world' ? 'Axes of the world (L)' : 'Axes of the solid (L)'}
          @click=${() => store.set({ space: s.space === 'world' ? 'local' : 'world' })}>${s.space === 'world' ? icons.world : icons.local}</button>
        <button class="icon ${s.snap ? 'on' : ''}" data-do="snap" title="Snap to steps and features (N)" @click=${() => store.set({ snap: !s.snap })}>${icons.magnet}</button>
        <button class="icon ${s.loose ? 'on' : ''}" data-do="loose" title="Loose parts: move them for now, the text stays (then Assemble)" @click=${() => store.set({ loose: !s.loose })}>${icons.loose}</button>
        <hr />
        <button class="icon ${s.adding ? 'on' : ''}" data-do="add" title="Add a solid (A)" @click=${() => store.set({ adding: !s.adding })}>${icons.plus}</button>
        <button class="icon ${s.tool === 'joint' ? 'on' : ''}" data-tool="joint" title="Add a joint: pick two solids (J)" @click=${() => store.set({ tool: s.tool === 'joint' ? 'select' : 'joint', jointPicks: [] })}>${icons.joint}</button>
        ${s.adding ? html`<div class="sheet flyout">
          ${SOLIDS.map((kind) => html`<button data-add=${kind} @click=${() => { store.set({ adding: false }); void this.actions.addSolid(kind); }}>${kind}</button>`)}
        </div>` : nothing}
      </div>
      <div class="strip shows" role="toolbar" aria-label="What is shown">
        <button class="icon ${s.showJoints ? 'on' : ''}" data-show="joints" title="Joints" @click=${() => store.set({ showJoints: !s.showJoints })}>${icons.joints}</button>
        <button class="icon ${s.showLimits ? 'on' : ''}" data-show="limits" title="Limits of joints" @click=${() => store.set({ showLimits: !s.showLimits })}>${icons.limits}</button>
        <button class="icon ${s.showTrails ? 'on' : ''}" data-show="trails" title="Trails (T: of the selected solid, Shift+T: of the point under the mouse)" @click=${() => store.set({ showTrails: !s.showTrails })}>${icons.trail}</button>
        <button class="icon ${s.showShadows ? 'on' : ''}" data-show="shadows" title="Shadows" @click=${() => store.set({ showShadows: !s.showShadows })}>${icons.shadow}</button>
        <button class="icon" data-do="frame" title="Frame the selection, or all (F)" @click=${() => this.actions.frameSelection()}>${icons.focus}</button>
        <button class="icon" data-do="picture" title="Picture, film, files" @click=${() => store.set({ exporting: true })}>${icons.camera}</button>
      </div>
      <studio-legend></studio-legend><studio-notices></studio-notices>
      <studio-joint-maker></studio-joint-maker><studio-triad></studio-triad>
      ${this.tip ? html`<div class="tip" style="left:${this.tip.x}px;top:${this.tip.y}px">${this.tip.name}${this.tip.what ? html`<span class="dim">${this.tip.what}</span>` : nothing}</div>` : nothing}
      ${s.connection === 'open' ? nothing : html`<div class="veil"><div class="card">
        <h3>${s.connection === 'refused' ? 'No way in' : s.connection === 'lost' ? 'The engine is gone' : 'Connecting…'}</h3>
        <div class="dim">${s.connection === 'refused'
          ? 'Open the address that “armature studio” printed: it carries a token that is new at every start.'
          : 'Trying again by itself. Unsaved work is kept beside the file.'}</div></div></div>`}
    `;
  }
}
customElements.define('studio-view', ViewPanel);
