// Finding bodies and joints by name: a scene has up to a hundred thousand of them, so the map is made once per scene.
import type { Body, Joint, SceneEvent } from '../engine/messages';

const bodies = new WeakMap<SceneEvent, Map<string, number>>();
const joints = new WeakMap<SceneEvent, Map<string, number>>();

function index(list: { name: string }[]): Map<string, number> {
  return new Map(list.map((item, i) => [item.name, i]));
}

export function bodyIndex(scene: SceneEvent, name: string): number {
  let map = bodies.get(scene);
  if (!map) bodies.set(scene, (map = index(scene.bodies)));
  return map.get(name) ?? -1;
}

export function jointIndex(scene: SceneEvent, name: string): number {
  let map = joints.get(scene);
  if (!map) joints.set(scene, (map = index(scene.joints)));
  return map.get(name) ?? -1;
}

export function findBody(scene: SceneEvent | null, name: string): Body | undefined {
  return scene ? scene.bodies[bodyIndex(scene, name)] : undefined;
}

export function findJoint(scene: SceneEvent | null, name: string): Joint | undefined {
  return scene ? scene.joints[jointIndex(scene, name)] : undefined;
}

/** A joint names its bodies by index or by name, whichever the engine sends. */
export function bodyOf(scene: SceneEvent, reference: number | string): number {
  return typeof reference === 'number' ? reference : bodyIndex(scene, reference);
}

/** NAME, NAME2, NAME3 …: the first that nothing in the scene has. */
export function freshName(scene: SceneEvent | null, base: string): string {
  const taken = (name: string) => !!scene && (bodyIndex(scene, name) >= 0 || jointIndex(scene, name) >= 0
    || new RegExp(`\\b${name}\\b`).test(scene.text));
  if (!taken(base)) return base;
  for (let i = 2; ; i++) if (!taken(base + i)) return base + i;
}
