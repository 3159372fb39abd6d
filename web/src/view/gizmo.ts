// Moving, turning and scaling what is selected. While the mouse is down only the picture changes; what it ends with
// goes to the engine as one step that can be undone.
import * as THREE from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { PoseArray, Vec3 } from '../engine/messages';
import { bodyIndex } from '../state/names';
import type { Studio } from '../studio';
import { nice } from '../util/numbers';
import { multiply, rotate, sub, type Quat } from './pose';
import type { Viewport } from './viewport';

const TURN_SNAP = Math.PI / 12;
const SCALE_SNAP = 0.1;

export class Gizmo {
  private readonly controls: TransformControls;
  private readonly proxy = new THREE.Object3D();
  private start: Map<number, PoseArray> = new Map();
  private first: PoseArray = [0, 0, 0, 0, 0, 0, 1];
  dragging = false;

  constructor(private studio: Studio, private view: Viewport) {
    this.controls = new TransformControls(view.camera, view.canvas);
    this.controls.setSize(0.85);
    view.world.add(this.proxy, this.controls.getHelper());
    this.controls.addEventListener('dragging-changed', (event) => (event.value ? this.begin() : void this.finish()));
    this.controls.addEventListener('objectChange', () => this.follow());
    this.controls.addEventListener('change', () => view.redraw());
    studio.store.on(['tool', 'selection', 'space', 'snap', 'scene'], () => this.update());
    this.update();
  }

  private bodies(): number[] {
    const { scene, selection } = this.studio.store.state;
    return scene ? selection.map((n) => bodyIndex(scene, n)).filter((b) => b > 0) : [];
  }

  update(): void {
    if (this.dragging) return;
    const { tool, space, snap } = this.studio.store.state;
    const bodies = this.bodies();
    const mode = tool === 'move' ? 'translate' : tool === 'turn' ? 'rotate' : tool === 'scale' ? 'scale' : null;
    if (!mode || bodies.length === 0) {
      this.controls.detach();
      this.view.redraw();
      return;
    }
    this.controls.setMode(mode);
    this.controls.setSpace(mode === 'scale' ? 'local' : space);
    this.controls.setTranslationSnap(snap ? nice(this.view.sceneRadius / 100) : null);
    this.controls.setRotationSnap(snap ? TURN_SNAP : null);
    this.controls.setScaleSnap(snap ? SCALE_SNAP : null);
    this.settle();
    this.controls.attach(this.proxy);
    this.view.redraw();
  }

  /** Follows the solid while the simulation moves it. */
  settle(): void {
    const b = this.bodies()[0];
    if (b === undefined || this.dragging) return;
    const o = 7 * b, p = this.view.shownPoses();
    if (o + 7 > p.length) return;
    this.proxy.position.set(p[o], p[o + 1], p[o + 2]);
    this.proxy.quaternion.set(p[o + 3], p[o + 4], p[o + 5], p[o + 6]);
    this.proxy.scale.set(1, 1, 1);
  }

  private begin(): void {
    this.dragging = true;
    this.view.controls.enabled = false;
    this.start = new Map(this.bodies().map((b) => [b, Array.from(this.view.poses.subarray(7 * b, 7 * b + 7)) as PoseArray]));
    this.first = [...(this.start.values().next().value ?? this.first)] as PoseArray;
    if (this.studio.store.state.status?.playing) void this.studio.actions.run('pause');
  }

  private follow(): void {
    if (!this.dragging) return;
    if (this.studio.store.state.tool === 'scale') return this.view.showScaled(new Set(this.start.keys()), this.proxy.scale.toArray() as Vec3);
    const q = this.proxy.quaternion.toArray() as Quat;
    const inverse: Quat = [-this.first[3], -this.first[4], -this.first[5], this.first[6]];
    const turn = multiply(q, inverse);
    for (const [b, pose] of this.start) {
      const arm = rotate(turn, sub(pose, this.first));
      const now = multiply(turn, pose.slice(3));
      this.view.overrides.set(b, [this.proxy.position.x + arm[0], this.proxy.position.y + arm[1], this.proxy.position.z + arm[2], ...now]);
    }
    this.view.place();
  }

  private async finish(): Promise<void> {
    const { scene, tool, loose } = this.studio.store.state;
    this.dragging = false;
    this.view.controls.enabled = true;
    if (!scene) return;
    if (tool === 'scale') {
      const factor = this.proxy.scale.toArray() as Vec3;
      if (factor.some((f) => Math.abs(f - 1) > 1e-6)) await this.studio.actions.scale([...this.start.keys()].map((b) => scene.bodies[b].name), factor);
      this.view.showScaled(new Set(), factor);
    } else if (this.view.overrides.size > 0) {
      const placements: Record<string, PoseArray> = {};
      for (const [b, pose] of this.view.overrides) placements[scene.bodies[b].name] = pose as PoseArray;
      const late = !loose && (this.studio.store.state.frame?.frame ?? 0) > 0;
      const reply = await this.studio.actions.place(placements, !loose);
      if (late && reply.ok) this.studio.store.toast('info', 'That is where it starts now; time is back at the beginning. With loose parts on, it would have moved for the moment only.');
      if (reply.ok) this.view.keepOverrides();
      else this.view.overrides.clear();
      this.view.place();
    }
    this.update();
  }

  /** Whether the mouse is over one of its handles: then a click is meant for it. */
  get busy(): boolean {
    return this.dragging || (this.controls.object !== undefined && this.controls.axis !== null);
  }
}
