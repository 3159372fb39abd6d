// Marks over the scene: the spring from a pulled point to the mouse, pins, the worst gap, points being picked.
import * as THREE from 'three';
import type { Vec3 } from '../engine/messages';
import { across, add, cross, length, sub, unit } from './pose';

const COILS = 9;

function overlayLine(color: number): THREE.Line {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * 200), 3));
  geometry.setDrawRange(0, 0);
  const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color, depthTest: false, transparent: true }));
  line.frustumCulled = false;
  line.visible = false;
  line.renderOrder = 8;
  return line;
}

function setPoints(line: THREE.Line, points: Vec3[]): void {
  const attribute = line.geometry.attributes.position as THREE.BufferAttribute;
  points.forEach((p, i) => attribute.setXYZ(i, p[0], p[1], p[2]));
  attribute.needsUpdate = true;
  line.geometry.setDrawRange(0, points.length);
  line.visible = points.length > 0;  // an empty one is a call too
}

/** A coil between two points: it looks like what it does. */
export function springPoints(a: Vec3, b: Vec3, width: number): Vec3[] {
  const d = sub(b, a);
  if (length(d) < 1e-9) return [a, b];
  const u = across(d), v = unit(cross(d, u));
  const out: Vec3[] = [a];
  const n = COILS * 10;
  for (let i = 0; i <= n; i++) {
    const t = 0.08 + (0.84 * i) / n, angle = (2 * Math.PI * COILS * i) / n;
    out.push(add(add(add(a, d, t), u, width * Math.cos(angle)), v, width * Math.sin(angle)));
  }
  out.push(b);
  return out;
}

export class Marks {
  readonly group = new THREE.Group();
  private spring = overlayLine(0xffc66b);
  private gap = overlayLine(0xff4d4d);
  private axis = overlayLine(0x6cf0c0);
  private dots: THREE.InstancedMesh;
  private used = 0;
  private static readonly MOST = 128;

  constructor() {
    this.dots = new THREE.InstancedMesh(
      new THREE.OctahedronGeometry(1, 0),
      new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95 }), Marks.MOST,
    );
    this.dots.frustumCulled = false;
    this.dots.renderOrder = 9;
    this.dots.count = 0;
    this.dots.setColorAt(0, new THREE.Color(1, 1, 1));
    this.group.add(this.spring, this.gap, this.axis, this.dots);
  }

  setSpring(from: Vec3 | null, to: Vec3 | null, size: number): void {
    setPoints(this.spring, from && to ? springPoints(from, to, 0.55 * size) : []);
  }

  setGap(from: Vec3 | null, to: Vec3 | null): void {
    setPoints(this.gap, from && to ? [from, to] : []);
  }

  /** The axis of a joint that is being made. */
  setAxis(from: Vec3 | null, to: Vec3 | null): void {
    setPoints(this.axis, from && to ? [from, to] : []);
  }

  beginDots(): void {
    this.used = 0;
  }

  dot(at: Vec3, size: number, color: number): void {
    if (this.used >= Marks.MOST) return;
    const m = new THREE.Matrix4().makeScale(size, size, size).setPosition(at[0], at[1], at[2]);
    this.dots.setMatrixAt(this.used, m);
    this.dots.setColorAt(this.used, new THREE.Color(color));
    this.used++;
  }

  endDots(): void {
    this.dots.count = this.used;
    this.dots.instanceMatrix.needsUpdate = true;
    if (this.dots.instanceColor) this.dots.instanceColor.needsUpdate = true;
  }
}
