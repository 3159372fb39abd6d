// `window.__studio`: what end-to-end tests and measurements ask of the page. Reading only, and nothing the page needs.
import type { Vec3 } from '../engine/messages';
import type { Session } from '../session';
import { bodyIndex } from '../state/names';
import type { Studio } from '../studio';
import { toWorld } from '../view/pose';

export interface Hook {
  readonly ready: boolean;
  counts(): { bodies: number; joints: number; parts: number; drawCalls: number; triangles: number; pictures: number; frames: number; bytes: number; trail: number };
  frame(): { frame: number; time: number; gap: number; revision: number } | null;
  pose(body: string): number[] | null;
  /** A point of a body in page pixels. */
  project(body: string, point?: Vec3): { x: number; y: number; z: number } | null;
  latency(): { totalMs: number; serverMs: number }[];
  state(): Studio['store']['state'];
  studio: Studio;
}

export function installHook(studio: Studio, session: Session): void {
  const pose = (name: string): number[] | null => {
    const { scene } = studio.store.state;
    const b = scene ? bodyIndex(scene, name) : -1;
    return b < 0 || !studio.view ? null : Array.from(studio.view.shownPoses().subarray(7 * b, 7 * b + 7));
  };
  const hook: Hook = {
    studio,
    get ready() {
      const { scene, frame } = studio.store.state;
      return !!scene && !!frame && !!studio.view && studio.view.picture > 0;
    },
    counts() {
      const { scene } = studio.store.state;
      const info = studio.view?.renderer.info.render;
      return {
        bodies: scene?.bodies.length ?? 0, joints: scene?.joints.length ?? 0, parts: studio.view?.partCount ?? 0,
        drawCalls: info?.calls ?? 0, triangles: info?.triangles ?? 0, pictures: studio.view?.picture ?? 0,
        trail: studio.view?.trails.length ?? 0, ...session.counts,
      };
    },
    frame() {
      const f = studio.store.state.frame;
      return f && { frame: f.frame, time: f.time, gap: f.gap, revision: f.revision };
    },
    pose,
    project(name, point = [0, 0, 0]) {
      const { scene } = studio.store.state;
      const view = studio.view;
      const b = scene ? bodyIndex(scene, name) : -1;
      if (b < 0 || !view) return null;
      const p = view.project(toWorld(view.shownPoses(), b, point));
      const box = view.canvas.getBoundingClientRect();
      return { x: p.x + box.left, y: p.y + box.top, z: p.z };
    },
    latency: () => studio.latency.samples.slice(),
    state: () => studio.store.state,
  };
  (window as unknown as { __studio: Hook }).__studio = hook;
}
