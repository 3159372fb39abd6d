// What mouse and fingers do in the view. Orbiting, panning and zooming are the camera's own; everything else is here.
import type { Studio } from '../studio';
import type { Gizmo } from './gizmo';
import { snapPoint } from './pick';
import { toWorld } from './pose';
import { Pull } from './pull';
import type { Viewport } from './viewport';

const CLICK_PX = 5;
const LONG_PRESS_MS = 380;
const RAW_MS = 4;

export class Pointer {
  pull: Pull | null = null;
  /** For the label at the mouse: where it is, or nothing. */
  onHover: ((x: number, y: number, name: string | null, what: string) => void) | null = null;
  /** Told when a pull begins and when it ends. */
  onPull: (() => void) | null = null;
  private down: { x: number; y: number; button: number; moved: boolean; touch: boolean; shift: boolean; ctrl: boolean } | null = null;
  private pressTimer = 0;
  private touches = new Set<number>();
  /** Where the hand was led last, and when. */
  private at = { x: -1, y: -1 };
  private rawTime = 0;

  constructor(private studio: Studio, private view: Viewport, private gizmo: Gizmo) {
    const c = view.canvas;
    // Before the camera's own handlers: what is ours must not turn the camera too.
    c.addEventListener('pointerdown', this.onDown, { capture: true });
    c.addEventListener('pointermove', this.onMove);
    c.addEventListener('pointerrawupdate', this.onRaw as EventListener);
    c.addEventListener('pointerup', this.onUp);
    c.addEventListener('pointercancel', this.onUp);
    c.addEventListener('pointerleave', () => {
      view.mouse = null;
      this.hover(0, 0, null, '');
    });
    c.addEventListener('dblclick', (e) => this.onDouble(e));
    c.addEventListener('contextmenu', (e) => e.preventDefault());
  }

  private place(e: PointerEvent | MouseEvent): { x: number; y: number } {
    const box = this.view.canvas.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }

  private onDown = (e: PointerEvent): void => {
    const { x, y } = this.place(e);
    this.view.canvas.focus();
    if (e.pointerType === 'touch') this.touches.add(e.pointerId);
    this.down = { x, y, button: e.button, moved: false, touch: e.pointerType === 'touch', shift: e.shiftKey, ctrl: e.ctrlKey || e.metaKey };
    clearTimeout(this.pressTimer);
    if (this.touches.size > 1) return;  // two fingers are the camera's
    if (this.down.ctrl) {
      this.beginPull(e, x, y, e.button === 2);
      return;
    }
    if (this.down.touch) {
      // A finger has no Ctrl: resting on a solid takes hold of it.
      this.pressTimer = window.setTimeout(() => {
        if (this.down && !this.down.moved && this.touches.size === 1) this.beginPull(e, x, y, false);
      }, LONG_PRESS_MS);
    }
  };

  /** Somebody pulls at what cannot follow: say why, instead of doing nothing. */
  private refusePull(): void {
    const pick = this.view.pick(this.down!.x, this.down!.y);
    const body = pick && pick.body > 0 ? this.view.scene!.bodies[pick.body] : null;
    if (!body || body.shapes.some((s) => s.kind === 'plane')) return;
    const why = body.kind === 'path' ? 'follows a path' : body.kind === 'fixed' ? 'is fixed' : '';
    if (why) this.studio.store.toast('info', `${body.name} ${why} and cannot be pulled; W moves it in the text.`);
  }

  private beginPull(e: PointerEvent, x: number, y: number, turning: boolean): void {
    const pick = this.view.pick(x, y);
    const kind = pick && this.view.scene?.bodies[pick.body].kind;
    const takes = pick && (kind === 'dynamic' || kind === 'particle');
    // Ctrl never turns the camera; a finger that rested where nothing can be taken still does.
    if (takes || this.down?.ctrl) this.view.controls.enabled = false;
    if (!takes) return;
    this.view.canvas.setPointerCapture(e.pointerId);
    this.hover(0, 0, null, '');
    this.at = { x, y };
    this.pull = new Pull(this.studio, this.view, pick, turning, x, y);
    this.view.canvas.style.cursor = 'grabbing';
    this.onPull?.();
  }

  /** The time is that when it happened, not when its turn came. */
  private lead(e: PointerEvent): void {
    this.at = this.place(e);
    this.rawTime = e.timeStamp;
    this.pull!.move(this.at.x, this.at.y, e.timeStamp);
  }

  /**
   * Moves are handed out once per picture, which is late where drawing is slow; these come when they happen. What a hand
   * holds follows them, some mice send a thousand a second, and the last one comes as an ordinary move too. A finger that
   * has gone on does not rest, though the picture with its move is not drawn yet.
   */
  private onRaw = (e: PointerEvent): void => {
    if (this.pull && e.timeStamp - this.rawTime > RAW_MS) this.lead(e);
    if (!this.pull && this.down?.touch && this.far(this.place(e))) clearTimeout(this.pressTimer);
  };

  /** So far from where it went down that it is no click. */
  private far(at: { x: number; y: number }): boolean {
    return this.down !== null && Math.hypot(at.x - this.down.x, at.y - this.down.y) > CLICK_PX;
  }

  private onMove = (e: PointerEvent): void => {
    const { x, y } = this.place(e);
    this.view.mouse = { x, y };
    if (this.down && this.far({ x, y })) {
      if (!this.down.moved && this.down.ctrl && !this.pull) this.refusePull();
      this.down.moved = true;
      if (!this.pull) clearTimeout(this.pressTimer);
    }
    if (this.pull) {
      if (x !== this.at.x || y !== this.at.y) this.lead(e);
      return;
    }
    if (this.down || e.pointerType === 'touch') return;
    const joint = this.view.pickJoint(x, y);
    if (joint >= 0 && this.studio.store.state.tool !== 'joint') {
      const j = this.view.scene!.joints[joint];
      this.hover(x, y, j.name, j.kind);
      return;
    }
    const pick = this.view.pick(x, y);
    const body = pick ? this.view.scene!.bodies[pick.body] : null;
    // With Ctrl held the mouse says what it would take.
    this.view.canvas.style.cursor = (e.ctrlKey || e.metaKey) && (body?.kind === 'dynamic' || body?.kind === 'particle') ? 'grab' : '';
    this.hover(x, y, body && pick!.body > 0 ? body.name : null, body?.kind === 'dynamic' ? '' : (body?.kind ?? ''));
  };

  private hover(x: number, y: number, name: string | null, what: string): void {
    this.onHover?.(x, y, name, what);
    if (this.studio.store.state.hover !== name) this.studio.store.set({ hover: name });
  }

  private onUp = (e: PointerEvent): void => {
    clearTimeout(this.pressTimer);
    this.touches.delete(e.pointerId);
    const down = this.down;
    this.down = null;
    if (this.pull) {
      this.pull.end();
      this.pull = null;
      this.view.canvas.style.cursor = '';
      this.onPull?.();
      this.view.controls.enabled = true;
      if (!down || down.moved) return;
    }
    if (!this.gizmo.dragging) this.view.controls.enabled = true;
    if (!down || down.moved || down.button !== 0 || e.type === 'pointercancel') return;
    if (this.gizmo.busy) return;
    this.click(down.x, down.y, down.shift, down.ctrl);
  };

  private click(x: number, y: number, shift: boolean, ctrl: boolean): void {
    const { actions, store } = this.studio;
    const scene = this.view.scene;
    if (!scene) return;
    const pick = this.view.pick(x, y);
    if (store.state.tool === 'joint') {
      this.pickForJoint(pick);
      return;
    }
    if (shift) {
      if (pick && pick.body > 0) this.pin(pick.body, pick.point);
      return;
    }
    const joint = this.view.pickJoint(x, y);
    if (joint >= 0) actions.select(scene.joints[joint].name, ctrl);
    else if (pick && pick.body > 0) actions.select(scene.bodies[pick.body].name, ctrl);
    else if (!ctrl) actions.select(null);
  }

  private pickForJoint(pick: ReturnType<Viewport['pick']>): void {
    const { store } = this.studio;
    const scene = this.view.scene!;
    if (!pick) return;
    const body = scene.bodies[pick.body];
    const reach = this.view.pixelSize(pick.world) * 22;
    const point = store.state.snap ? snapPoint(body, pick.point, reach) : pick.point;
    const picks = store.state.jointPicks.length >= 2 ? [] : store.state.jointPicks;
    if (picks.length === 1 && picks[0].body === pick.body) {
      store.toast('info', 'A joint needs two different solids.');
      return;
    }
    store.set({ jointPicks: [...picks, { ...pick, point, world: toWorld(this.view.shownPoses(), pick.body, point) }] });
  }

  /** A second pin at nearly the same point takes the first one away. */
  private pin(body: number, point: [number, number, number]): void {
    const name = this.view.scene!.bodies[body].name;
    const reach = this.view.pixelSize(toWorld(this.view.poses, body, point)) * 14;
    const old = this.studio.store.state.status?.drags?.find(
      (d) => d.pin && d.solid === name && Math.hypot(d.point[0] - point[0], d.point[1] - point[1], d.point[2] - point[2]) < reach);
    if (old) this.studio.actions.unpin(old.drag);
    else void this.studio.actions.pin(name, point);
  }

  private onDouble(e: MouseEvent): void {
    const { x, y } = this.place(e);
    const pick = this.view.pick(x, y);
    if (pick && pick.body > 0) {
      this.studio.actions.select(this.view.scene!.bodies[pick.body].name);
      this.studio.actions.frameSelection();
    }
  }
}
