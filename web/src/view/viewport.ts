// The picture of a scene: owns the canvas, the camera and everything drawn. Draws only after something has changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Frame } from '../engine/frame';
import type { SceneEvent, Vec3 } from '../engine/messages';
import { bodyIndex, bodyOf, jointIndex } from '../state/names';
import type { Pick } from '../state/store';
import { ballAround, corners } from './bounds';
import { DetailKeeper, LEVELS } from './detail';
import { Follow } from './follow';
import { Glyphs } from './glyphs';
import { Limits } from './limits';
import { Marks } from './marks';
import { ghostMaterial, outlineMaterial, solidMaterial } from './materials';
import { pickBody } from './pick';
import { toWorld } from './pose';
import { scaledShape } from './scaling';
import { SolidsLayer } from './solids';
import { Stage } from './stage';
import { Trails } from './trails';

export interface ShowOptions {
  joints: boolean;
  limits: boolean;
  trails: boolean;
  shadows: boolean;
}

/** Gaps below this share of the scene are not worth a mark: they are round-off or tolerance. */
const VISIBLE_GAP = 2e-4;
/** Nor is the worst joint of many that hold to round-off worth a colour. */
const COLOURED_GAP = 1e-6;

const HELD = 0xffc66b;

export class Viewport {
  readonly renderer: THREE.WebGLRenderer;
  readonly camera = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
  readonly world = new THREE.Scene();
  readonly controls: OrbitControls;
  readonly marks = new Marks();
  readonly keeper: DetailKeeper;
  readonly glyphs = new Glyphs();
  readonly trails = new Trails();
  readonly follow = new Follow();
  /** Bodies shown elsewhere than their frame says, while a gizmo moves them. */
  readonly overrides = new Map<number, number[]>();
  scene: SceneEvent | null = null;
  poses: Float32Array = new Float32Array(0);
  ghostPoses: Float32Array | null = null;
  frame: Frame | null = null;
  picture = 0;
  /** Where the mouse is over the picture, if it is. */
  mouse: { x: number; y: number } | null = null;
  /** Told before every picture, for labels that follow points. */
  beforeDraw: (() => void) | null = null;
  onDetail: ((level: number) => void) | null = null;

  private readonly stage = new Stage();
  private readonly hatch = { value: 0.05 };
  private readonly full = solidMaterial(this.hatch, false);
  private readonly simple = solidMaterial(this.hatch, true);
  private readonly solids: SolidsLayer;
  private readonly ghost = new SolidsLayer(ghostMaterial(), false, 1);
  private readonly outline = new SolidsLayer(outlineMaterial(0x6cb6ff), false, 1);
  private readonly hoverline = new SolidsLayer(outlineMaterial(0xaeb7c4), false, 1);
  /** What a hand or a pin holds: in the colour of the spring, whatever colour the solid has. */
  private readonly heldline = new SolidsLayer(outlineMaterial(HELD), false, 1);
  private held: ReadonlySet<number> = new Set();
  private readonly limits = new Limits();
  private show: ShowOptions = { joints: true, limits: true, trails: true, shadows: true };
  private selection: string[] = [];
  private dirty = true;
  private lastTime = 0;
  private running = true;
  private radius = 1;
  /** A new document has been framed by its size only; its first frame says where its solids are. */
  private unframed = false;
  /** How far the solids reach from their middle when they were first seen. */
  private reach = 1;
  private tween: { from: THREE.Vector3; to: THREE.Vector3; fromTarget: THREE.Vector3; toTarget: THREE.Vector3; start: number } | null = null;

  constructor(readonly canvas: HTMLCanvasElement, startLevel = 0) {
    this.keeper = new DetailKeeper(startLevel);
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: startLevel < 2, preserveDrawingBuffer: false });
    // Asking for a shader's log waits for its compiler; in software that is a third of the time to the first picture.
    this.renderer.debug.checkShaderErrors = import.meta.env.DEV;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.renderer.toneMappingExposure = 1.0;
    this.world.background = this.stage.background();
    this.solids = new SolidsLayer(this.full, true, startLevel);
    this.world.add(this.stage.group, this.solids.group, this.ghost.group, this.outline.group, this.hoverline.group, this.heldline.group,
      this.glyphs.group, this.limits.lines, this.trails.group, this.marks.group);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;  // it would draw on after the hand has stopped; software drawing cannot afford that
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.redraw());
    for (const touch of ['pointerdown', 'wheel']) canvas.addEventListener(touch, () => this.takeCamera(), { passive: true });
    this.applyDetail();
    requestAnimationFrame(this.loop);
  }

  dispose(): void {
    this.running = false;
    this.controls.dispose();
    this.renderer.dispose();
  }

  /** From now on the camera is where the user puts it, at once: it does not glide on under the hand. */
  private takeCamera(): void {
    this.follow.active = false;
    this.tween = null;
  }

  redraw(): void {
    this.dirty = true;
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
    this.renderer.setSize(width, height, false);
    this.redraw();
  }

  // ---- what is shown -----------------------------------------------------------------------------------------------

  setScene(scene: SceneEvent, refit: boolean): void {
    const sameBodies = this.scene && this.scene.bodies.length === scene.bodies.length;
    if (sameBodies) this.keepOverrides();
    this.scene = scene;
    this.radius = Math.max(scene.size.radius, 1e-3);
    this.hatch.value = this.radius * 0.035;
    this.solids.build(scene.bodies, this.radius);
    if (refit) this.reach = this.radius;
    this.glyphs.build(scene, this.reach);
    this.ghost.clear();
    this.ghostPoses = null;
    this.overrides.clear();
    if (!sameBodies || this.poses.length !== 7 * scene.bodies.length) {
      this.poses = new Float32Array(7 * scene.bodies.length);
      for (let b = 0; b < scene.bodies.length; b++) this.poses[7 * b + 6] = 1;
    }
    this.select(this.selection);
    this.hover(null);
    this.held = new Set();  // the numbers of bodies are another scene's
    this.heldline.clear();
    this.fitStage();
    if (refit) {
      this.frameAll(false);
      this.unframed = true;
    }
    this.place();
  }

  private fitStage(): void {
    const { centre, radius } = this.scene!.size;
    const c = new THREE.Vector3(...centre);
    const floor = this.scene!.bodies.find((b) => b.kind === 'fixed' && b.shapes.some((s) => s.kind === 'plane'));
    // The grid is the ground at height 0, unless the scene hangs below it.
    const low = centre[1] - radius;
    const ground = floor || low >= -0.3 * radius ? 0 : low;
    this.stage.fit(c, this.radius, ground);
    this.camera.near = this.radius / 200;
    this.camera.far = this.radius * 60;
    this.camera.updateProjectionMatrix();
  }

  setFrame(frame: Frame): void {
    this.frame = frame;
    this.poses = frame.poses;
    if (this.unframed) {
      this.unframed = false;
      this.frameAll(false);
      this.fitGlyphs();
    } else if (this.scene) {
      const ball = this.follow.frame(frame.frame, this.scene.bodies, frame.poses);
      if (ball) this.frameSphere(new THREE.Vector3(...ball.centre), ball.radius, true);
    }
    this.place();
  }

  setGhost(poses: Float32Array | null): void {
    if (poses && !this.ghostPoses && this.scene) this.ghost.build(ghostBodies(this.scene), this.radius);
    if (!poses) this.ghost.clear();
    this.ghostPoses = poses;
    if (poses) this.ghost.place(poses);
    this.redraw();
  }

  /** The poses that are on the screen: those of the frame with what a gizmo holds elsewhere. */
  shownPoses(): Float32Array {
    if (this.overrides.size === 0) return this.poses;
    const poses = Float32Array.from(this.poses);
    for (const [b, pose] of this.overrides) poses.set(pose, 7 * b);
    return poses;
  }

  /** What a gizmo put elsewhere stays there until the first frame that has it: going back for a moment would be seen. */
  keepOverrides(): void {
    this.poses = this.shownPoses();
    this.overrides.clear();
  }

  place(): void {
    const poses = this.shownPoses();
    this.solids.place(poses);
    this.outline.place(poses);
    this.hoverline.place(poses);
    this.heldline.place(poses);
    if (this.show.joints) this.glyphs.place(poses);
    if (this.show.limits) this.limits.place(poses);
    this.markGap(poses);
    this.redraw();
  }

  private markGap(poses: Float32Array): void {
    const scene = this.scene;
    const worst = this.frame && scene && this.frame.worstJoint < scene.joints.length ? this.frame.worstJoint : -1;
    const chosen = new Set(this.selection.map((n) => (scene ? jointIndex(scene, n) : -1)).filter((j) => j >= 0));
    const wide = worst >= 0 && this.frame!.gap > VISIBLE_GAP * this.radius;
    this.glyphs.mark(worst >= 0 && this.frame!.gap > COLOURED_GAP * this.radius ? worst : -1, chosen);
    if (wide && scene) {
      const joint = scene.joints[worst];
      this.marks.setGap(toWorld(poses, bodyOf(scene, joint.body1), joint.p1), toWorld(poses, bodyOf(scene, joint.body2), joint.p2));
    } else this.marks.setGap(null, null);
  }

  setShow(show: ShowOptions): void {
    this.show = show;
    this.glyphs.group.visible = show.joints;
    this.limits.lines.visible = show.limits;
    this.trails.group.visible = show.trails;
    this.applyDetail();
    this.place();
  }

  select(names: string[]): void {
    this.selection = names;
    const scene = this.scene;
    if (!scene) return;
    const bodies = new Set(names.map((n) => bodyIndex(scene, n)).filter((b) => b > 0));
    if (bodies.size) this.outline.build(scene.bodies, this.radius, bodies, 0.006 * this.radius);
    else this.outline.clear();
    const joints = new Set(names.map((n) => jointIndex(scene, n)).filter((j) => j >= 0));
    this.limits.build(scene, this.glyphs.size, joints);
    this.place();
  }

  hover(name: string | null): void {
    const scene = this.scene;
    const b = scene && name ? bodyIndex(scene, name) : -1;
    if (scene && b > 0 && !this.selection.includes(name!)) this.hoverline.build(scene.bodies, this.radius, new Set([b]), 0.004 * this.radius);
    else this.hoverline.clear();
    this.hoverline.place(this.shownPoses());
    this.redraw();
  }

  /** The size of the scene event is generous; glyphs are made for what is really there. */
  private fitGlyphs(): void {
    const ball = this.scene && ballAround(corners(this.scene.bodies, this.poses));
    if (!ball || ball.radius <= 0) return;
    this.reach = Math.min(this.radius, 1.3 * ball.radius);
    this.glyphs.build(this.scene!, this.reach);
    this.select(this.selection);
  }

  /** Solids that are held by a hand, a pin or a drag of the text. */
  hold(bodies: ReadonlySet<number>): void {
    if (bodies.size === this.held.size && [...bodies].every((b) => this.held.has(b))) return;
    this.held = bodies;
    if (this.scene && bodies.size) this.heldline.build(this.scene.bodies, this.radius, bodies, 0.009 * this.radius);
    else this.heldline.clear();
    this.heldline.place(this.shownPoses());
    this.redraw();
  }

  // ---- camera ------------------------------------------------------------------------------------------------------

  frameAll(animate = true): void {
    const scene = this.scene;
    if (!scene) return;
    const known = this.frame?.revision === scene.revision;
    const solids = known ? ballAround(corners(scene.bodies, this.shownPoses())) : null;
    const ball = solids && solids.radius > 1e-3 * this.radius ? solids : { centre: scene.size.centre, radius: this.radius };
    this.frameSphere(new THREE.Vector3(...ball.centre), ball.radius, animate);
    this.follow.start(ball);
  }

  frameNames(names: string[]): void {
    if (!this.scene || names.length === 0) return this.frameAll();
    const box = new THREE.Box3();
    for (const name of names) {
      const b = bodyIndex(this.scene, name);
      if (b > 0) {
        const reach = bodyReach(this.scene.bodies[b].shapes) || 0.05 * this.radius;
        const p = new THREE.Vector3(this.poses[7 * b], this.poses[7 * b + 1], this.poses[7 * b + 2]);
        box.union(new THREE.Box3().setFromCenterAndSize(p, new THREE.Vector3().setScalar(2 * reach)));
      }
      const j = jointIndex(this.scene, name);
      if (j >= 0) {
        const joint = this.scene.joints[j];
        const p = new THREE.Vector3(...toWorld(this.poses, bodyOf(this.scene, joint.body2), joint.p2));
        box.union(new THREE.Box3().setFromCenterAndSize(p, new THREE.Vector3().setScalar(10 * this.glyphs.size)));
      }
    }
    if (box.isEmpty()) return this.frameAll();
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    this.frameSphere(sphere.center, Math.max(sphere.radius, 0.04 * this.radius), true);
  }

  /** From that side, at the distance it has: front, side, top. The camera is the user's then. */
  lookFrom(direction: Vec3): void {
    const going = this.tween;  // on its way from one side to the next it is nearer than it will be
    this.takeCamera();
    const target = (going?.toTarget ?? this.controls.target).clone();
    const distance = (going?.to ?? this.camera.position).distanceTo(target);
    const away = new THREE.Vector3(...direction);
    // Straight from above there would be no up: a hair to the front, so that x stays to the right.
    if (Math.abs(away.y) > 0.999) away.z += 1e-3;
    const to = target.clone().addScaledVector(away.normalize(), distance);
    this.tween = { from: this.camera.position.clone(), to, fromTarget: this.controls.target.clone(), toTarget: target, start: performance.now() };
    this.redraw();
  }

  private frameSphere(centre: THREE.Vector3, radius: number, animate: boolean): void {
    let direction = this.camera.position.clone().sub(this.controls.target);
    if (!animate || direction.lengthSq() === 0) direction = new THREE.Vector3(0.5, 0.34, 1);
    const narrow = Math.min(1, this.camera.aspect);
    const distance = (1.13 * radius) / Math.sin((this.camera.fov * Math.PI) / 360) / narrow;
    const position = centre.clone().addScaledVector(direction.normalize(), distance);
    if (!animate) {
      this.tween = null;  // what was under way would go on from here
      this.camera.position.copy(position);
      this.controls.target.copy(centre);
      this.controls.update();
    } else {
      this.tween = {
        from: this.camera.position.clone(), to: position, fromTarget: this.controls.target.clone(), toTarget: centre.clone(), start: performance.now(),
      };
    }
    this.redraw();
  }

  /** A ray through a pixel of the canvas (CSS pixels from its corner). */
  ray(x: number, y: number): { origin: Vec3; direction: Vec3 } {
    const ndc = new THREE.Vector2((x / this.canvas.clientWidth) * 2 - 1, 1 - (y / this.canvas.clientHeight) * 2);
    const caster = new THREE.Raycaster();
    this.camera.updateMatrixWorld();
    caster.setFromCamera(ndc, this.camera);
    return { origin: caster.ray.origin.toArray() as Vec3, direction: caster.ray.direction.toArray() as Vec3 };
  }

  /** Where a point of the world is on the canvas, in CSS pixels; z beyond 1 is behind the camera. */
  project(p: Vec3): { x: number; y: number; z: number } {
    this.camera.updateMatrixWorld();
    const v = new THREE.Vector3(...p).project(this.camera);
    return { x: ((v.x + 1) / 2) * this.canvas.clientWidth, y: ((1 - v.y) / 2) * this.canvas.clientHeight, z: v.z };
  }

  /** Height of what is seen at the middle of the picture, in metres. */
  seenHeight(): number {
    return this.pixelSize(this.controls.target.toArray() as Vec3) * this.canvas.clientHeight;
  }

  /** World length of a pixel at a point. */
  pixelSize(p: Vec3): number {
    const d = this.camera.position.distanceTo(new THREE.Vector3(...p));
    return (2 * d * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, this.canvas.clientHeight);
  }

  pick(x: number, y: number): Pick | null {
    if (!this.scene) return null;
    const { origin, direction } = this.ray(x, y);
    return pickBody(this.scene.bodies, this.shownPoses(), origin, direction, this.radius);
  }

  /** The joint whose glyph is under the mouse, nearest to the camera. */
  pickJoint(x: number, y: number): number {
    const scene = this.scene;
    if (!scene || !this.show.joints) return -1;
    const poses = this.shownPoses();
    let best = -1, nearest = Infinity;
    scene.joints.forEach((joint, j) => {
      if (joint.drag) return;
      const p = toWorld(poses, bodyOf(scene, joint.body2), joint.p2);
      const s = this.project(p);
      const reach = Math.max(6, (1.3 * this.glyphs.size) / this.pixelSize(p));
      if (s.z < 1 && Math.hypot(s.x - x, s.y - y) < Math.min(reach, 16) && s.z < nearest) {
        nearest = s.z;
        best = j;
      }
    });
    return best;
  }

  get sceneRadius(): number {
    return this.radius;
  }

  get partCount(): number {
    return this.solids.count;
  }

  /** Some bodies larger or smaller than the scene says, until it says so itself. */
  showScaled(bodies: ReadonlySet<number>, factor: Vec3): void {
    if (!this.scene) return;
    this.solids.build(this.scene.bodies.map((b, i) => (bodies.has(i) ? { ...b, shapes: b.shapes.map((s) => scaledShape(s, factor)) } : b)), this.radius);
    this.place();
  }

  // ---- drawing -----------------------------------------------------------------------------------------------------

  setDetail(level: number): void {
    this.keeper.level = level;
    this.applyDetail();
  }

  private applyDetail(): void {
    const detail = LEVELS[this.keeper.level];
    const shadows = this.show.shadows ? detail.shadowMap : 0;
    this.renderer.shadowMap.enabled = shadows > 0;
    this.stage.setShadows(shadows);
    this.solids.setMaterial(detail.simpleLight ? this.simple : this.full);
    this.solids.setLevel(detail.level);
    this.solids.place(this.shownPoses());
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, detail.pixelRatio));
    for (const m of [this.full, this.simple]) m.needsUpdate = true;
    this.onDetail?.(this.keeper.level);
    this.redraw();
  }

  private loop = (now: number): void => {
    if (!this.running) return;
    requestAnimationFrame(this.loop);
    if (this.tween) this.moveCamera(now);
    if (!this.dirty) {
      this.lastTime = 0;
      return;
    }
    // The pause between two pictures in a row is what one takes, the graphics process included.
    if (this.lastTime > 0 && this.keeper.took(now - this.lastTime)) this.applyDetail();
    this.lastTime = now;
    this.dirty = false;
    this.draw();
  };

  draw(): void {
    this.beforeDraw?.();
    this.renderer.render(this.world, this.camera);
    this.picture++;
  }

  private moveCamera(now: number): void {
    const t = this.tween!;
    const s = Math.min(1, (now - t.start) / 220);
    const k = s * s * (3 - 2 * s);
    this.camera.position.lerpVectors(t.from, t.to, k);
    this.controls.target.lerpVectors(t.fromTarget, t.toTarget, k);
    this.controls.update();
    if (s >= 1) this.tween = null;
    this.redraw();
  }

  /** A picture at any size and the best detail, whatever the canvas shows now. */
  async picturePng(width: number, height: number): Promise<Blob> {
    const canvas = this.canvas;
    const old = { ratio: this.renderer.getPixelRatio(), w: canvas.clientWidth, h: canvas.clientHeight, level: this.keeper.level };
    this.keeper.held = true;
    this.setDetail(0);
    this.renderer.setPixelRatio(1);
    this.resize(width, height);
    this.draw();
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    this.keeper.held = false;
    this.keeper.level = old.level;
    this.applyDetail();
    this.resize(old.w, old.h);
    this.draw();
    if (!blob) throw new Error('The picture could not be made.');
    return blob;
  }
}

/** What moves, in one colour: who is who must be seen at a glance. */
function ghostBodies(scene: SceneEvent): SceneEvent['bodies'] {
  return scene.bodies.map((b) => (b.kind === 'fixed' ? { ...b, shapes: [], kind: 'tracker' as const } : { ...b, color: [0.34, 0.48, 1] as Vec3 }));
}

function bodyReach(shapes: SceneEvent['bodies'][number]['shapes']): number {
  let reach = 0;
  for (const s of shapes) {
    if (s.kind === 'plane') continue;
    const p = s.pose ? Math.hypot(s.pose[0], s.pose[1], s.pose[2]) : 0;
    const own = s.size ? Math.hypot(...s.size) / 2 : s.radii ? Math.max(...s.radii) : (s.radius ?? 0) + (s.length ?? s.height ?? 0) / 2;
    reach = Math.max(reach, p + own);
  }
  return reach;
}
