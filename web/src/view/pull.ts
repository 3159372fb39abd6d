// Dragging live: a point of a solid follows the mouse in the plane through it that faces the camera, or the solid turns
// with it. The engine does the work; here are only the target, the number of every input, and the spring that is drawn.
import * as THREE from 'three';
import type { Vec3 } from '../engine/messages';
import type { Pick } from '../state/store';
import type { Studio } from '../studio';
import { Leash } from './leash';
import { add, axisAngle, dot, length, multiply, sub, toWorld, type Quat } from './pose';
import type { Viewport } from './viewport';

export class Pull {
  private drag: string | null = null;
  private ended = false;
  /** Where the mouse is, and how far the target has come on the way there. */
  private wish: Vec3;
  private target: Vec3;
  private readonly leash: Leash;
  private readonly normal: Vec3;
  private readonly turnFrom: Quat;
  private turned: Quat;
  private start: { x: number; y: number };
  /** The newest move that the engine's answer to `grab` was not yet there for. */
  private early: (() => void) | null = null;

  constructor(private studio: Studio, private view: Viewport, readonly pick: Pick, private readonly turning: boolean, x: number, y: number) {
    const direction = view.camera.getWorldDirection(new THREE.Vector3());
    this.normal = direction.toArray() as Vec3;
    this.wish = this.target = pick.world;
    this.leash = new Leash(view.sceneRadius);
    this.start = { x, y };
    const o = 7 * pick.body + 3;
    this.turnFrom = Array.from(view.poses.subarray(o, o + 4)) as Quat;
    this.turned = this.turnFrom;
    const solid = view.scene?.bodies[pick.body].name;
    void studio.engine.send('grab', { solid, point: pick.point, target: pick.world, orient: turning }).then((reply) => {
      if (!reply.ok) {
        studio.store.toast('warning', reply.errors?.[0]?.message ?? 'This cannot be dragged.');
        return;
      }
      this.drag = String(reply.drag);
      if (this.ended) studio.engine.post('release', { drag: this.drag });
      else this.early?.();
    });
  }

  move(x: number, y: number, time: number): void {
    if (this.turning) {
      const right = new THREE.Vector3().setFromMatrixColumn(this.view.camera.matrixWorld, 0).toArray();
      const up = new THREE.Vector3().setFromMatrixColumn(this.view.camera.matrixWorld, 1).toArray();
      const q = multiply(axisAngle(up, (x - this.start.x) * 0.01), axisAngle(right, (y - this.start.y) * 0.01));
      this.turned = multiply(q, this.turnFrom);
    } else {
      const { origin, direction } = this.view.ray(x, y);
      const t = dot(sub(this.pick.world, origin), this.normal) / (dot(direction, this.normal) || 1);
      this.wish = add(origin, direction, t);
      this.target = this.leash.target(this.point(), this.wish);
    }
    this.send(this.studio.latency.input(time));
    this.draw();
  }

  /** After every frame: the target goes on towards a mouse that is too far away to be reached at once. */
  frame(gap: number): void {
    this.leash.frame(gap, this.point());
    if (!this.turning) {
      const target = this.leash.target(this.point(), this.wish);
      if (length(sub(target, this.target)) > 1e-5 * this.view.sceneRadius) {
        this.target = target;
        this.send(0);
      }
    }
    this.draw();
  }

  private point(): Vec3 {
    return toWorld(this.view.shownPoses(), this.pick.body, this.pick.point);
  }

  private send(input: number): void {
    const send = () =>
      this.studio.engine.post('pull', {
        drag: this.drag, ...(input > 0 ? { input } : {}), ...(this.turning ? { pose: [...this.target, ...this.turned] } : { target: this.target }),
      });
    if (this.drag === null) this.early = send;
    else send();
  }

  draw(): void {
    this.view.marks.setSpring(this.point(), this.wish, this.view.pixelSize(this.wish) * 9);
    this.view.redraw();
  }

  end(): void {
    this.ended = true;
    if (this.drag !== null) this.studio.engine.post('release', { drag: this.drag });
    this.view.marks.setSpring(null, null, 0);
    this.view.redraw();
  }
}
