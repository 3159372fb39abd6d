// A joint before it is made: a solid moves to and fro along what the joint would leave free, about the axis that is drawn.
import type { Vec3 } from '../engine/messages';
import { JOINT_TYPES } from '../language/templates';
import type { Studio } from '../studio';
import { across, add, axisAngle, multiply, rotate, sub, toWorld, type Quat } from './pose';
import type { Viewport } from './viewport';

const TURN = 0.45;
const PERIOD_MS = 1400;
/** To each side of the point. */
const AXIS_PX = 90;

export interface PreviewOf {
  body: number;
  /** In the world. */
  point: Vec3;
  axis: Vec3;
  type: string;
}

/** A ball turns as it likes, and what is welded not at all. */
const hasAxis = (type: string) => type !== 'ball' && type !== 'embedding';

export class JointPreview {
  private of: PreviewOf | null = null;
  private from: number[] = [];
  /** Of the next picture: there is only ever one to come. */
  private timer: ReturnType<typeof setTimeout> | undefined;
  private picture = 0;

  constructor(studio: Studio, private view: Viewport) {
    studio.store.on(['jointPicks', 'tool'], () => {
      if (studio.store.state.jointPicks.length < 2) this.stop();
    });
    previewWith = (of) => (of ? this.start(of) : this.stop());
  }

  private start(of: PreviewOf): void {
    this.stop();
    if (of.body <= 0) return;
    this.of = of;
    this.from = Array.from(this.view.poses.subarray(7 * of.body, 7 * of.body + 7));
    this.picture = requestAnimationFrame(this.tick);
  }

  private stop(): void {
    if (!this.of) return;
    this.view.overrides.delete(this.of.body);
    this.view.marks.setAxis(null, null);
    this.of = null;
    clearTimeout(this.timer);
    cancelAnimationFrame(this.picture);
    this.view.place();
  }

  /** The simulation goes on below: begin from where the solid is now. */
  settle(): void {
    if (this.of) this.from = Array.from(this.view.poses.subarray(7 * this.of.body, 7 * this.of.body + 7));
  }

  private tick = (now: number): void => {
    const of = this.of;
    if (!of) return;
    const kind = JOINT_TYPES.find((t) => t.type === of.type);
    const freedoms: ['turn' | 'slide', Vec3][] = [];
    const second = across(of.axis);
    kind?.turns.forEach((t, i) => freedoms.push(['turn', t === 'any turn' ? of.axis : i === 0 ? of.axis : second]));
    if (kind?.turns.includes('any turn')) freedoms.push(['turn', second]);
    kind?.slides.forEach((_, i) => freedoms.push(['slide', kind.slides.length === 1 ? of.axis : i === 0 ? second : rotate(axisAngle(of.axis, Math.PI / 2), second)]));
    let pose = this.from;
    if (freedoms.length > 0) {
      const turn = Math.floor(now / PERIOD_MS) % freedoms.length;
      const s = Math.sin((2 * Math.PI * (now % PERIOD_MS)) / PERIOD_MS);
      const [what, axis] = freedoms[turn];
      const q: Quat = what === 'turn' ? axisAngle(axis, TURN * s) : [0, 0, 0, 1];
      const arm = rotate(q, sub(pose, of.point));
      const p = add(add(of.point, arm), axis, what === 'slide' ? 0.12 * this.view.sceneRadius * s : 0);
      pose = [...p, ...multiply(q, pose.slice(3))];
    }
    const reach = AXIS_PX * this.view.pixelSize(of.point);
    if (hasAxis(of.type)) this.view.marks.setAxis(add(of.point, of.axis, -reach), add(of.point, of.axis, reach));
    this.view.overrides.set(of.body, pose);
    this.view.place();
    // Twenty a second are enough to see a motion, and leave time to whoever draws in software.
    this.timer = setTimeout(() => (this.picture = requestAnimationFrame(this.tick)), 50);
  };
}

/** Set by the view once it is there; panels show joints through it. */
export let previewWith: (of: PreviewOf | null) => void = () => undefined;

export function worldPoint(view: Viewport, body: number, point: Vec3): Vec3 {
  return toWorld(view.shownPoses(), body, point);
}
