// The state that panels and view share, and a way to hear of changes. What belongs to one panel alone stays in it.
import type { Connection } from '../engine/engine';
import type { Frame } from '../engine/frame';
import type { Hello, SceneEvent, StatusEvent, Vec3 } from '../engine/messages';

export type Tool = 'select' | 'move' | 'turn' | 'scale' | 'joint';
export type Tab = 'inspector' | 'text' | 'report';

export interface Pick {
  body: number;
  /** In the frame of the body. */
  point: Vec3;
  /** Outward, in the frame of the body. */
  normal: Vec3;
  /** In the world, at the moment of picking. */
  world: Vec3;
}

/** What the doctor, the assembly or a run said, shown in the report tab. */
export interface Report {
  title: string;
  text: string;
  good: boolean | null;
  culprits: string[];
  /** Sentences about what can move, what is held twice, with the solids they are about. */
  findings?: { kind: string; sentence: string; names: string[]; line: number; motion?: { solid: string; v: Vec3; w: Vec3 }[] }[];
}

/** Something that takes the engine long; it can be given up. */
export interface Job {
  job: number;
  what: string;
  done: number;
}

export interface Toast {
  key: number;
  severity: 'error' | 'warning' | 'info';
  text: string;
  action?: { label: string; run: () => void };
  sticky?: boolean;
}

export interface State {
  connection: Connection;
  hello: Hello | null;
  scene: SceneEvent | null;
  status: StatusEvent | null;
  frame: Frame | null;
  /** Names of bodies and joints, in the order of selection. */
  selection: string[];
  hover: string | null;
  tool: Tool;
  space: 'world' | 'local';
  snap: boolean;
  /** Gizmo only moves the present placement, for parts to be assembled; the text stays. */
  loose: boolean;
  /** The list of solids to add is open. */
  adding: boolean;
  jointPicks: Pick[];
  trails: { body: string; point: Vec3 }[];
  showJoints: boolean;
  showLimits: boolean;
  showTrails: boolean;
  showNames: boolean;
  showShadows: boolean;
  speed: number;
  tab: Tab;
  /** The included file that the text shows; null is the scene's own. */
  textFile: string | null;
  /** Counts the texts of included files that have come. */
  sources: number;
  /** Long work of the engine, by number. */
  jobs: Job[];
  report: Report | null;
  gallery: boolean;
  help: boolean;
  exporting: boolean;
  toasts: Toast[];
  plotted: string[];
  plotsOpen: boolean;
  loopRange: [number, number] | null;
  busy: string | null;
  detail: number;
}

const initial: State = {
  connection: 'connecting', hello: null, scene: null, status: null, frame: null, selection: [], hover: null,
  tool: 'select', space: 'world', snap: true, loose: false, adding: false, jointPicks: [], trails: [], showJoints: true,
  showLimits: true, showTrails: true, showNames: true, showShadows: true, speed: 1, tab: 'inspector', textFile: null, sources: 0, jobs: [], report: null,
  gallery: false, help: false, exporting: false, toasts: [], plotted: ['energy', 'gap'], plotsOpen: true,
  loopRange: null, busy: null, detail: 0,
};

export type Key = keyof State;
type Hearer = { keys: readonly Key[] | null; run: (changed: ReadonlySet<Key>) => void };

export class Store {
  readonly state: State;
  private hearers = new Set<Hearer>();
  private nextToast = 1;

  constructor(start: Partial<State> = {}) {
    this.state = { ...initial, ...start };
  }

  set(change: Partial<State>): void {
    const changed = new Set<Key>();
    for (const key of Object.keys(change) as Key[]) {
      if (this.state[key] === change[key]) continue;
      (this.state as unknown as Record<Key, unknown>)[key] = change[key];
      changed.add(key);
    }
    if (changed.size === 0) return;
    for (const hearer of [...this.hearers])
      if (!hearer.keys || hearer.keys.some((key) => changed.has(key))) hearer.run(changed);
  }

  /** Calls `run` after a change of one of `keys`; returns what ends it. */
  on(keys: readonly Key[] | null, run: (changed: ReadonlySet<Key>) => void): () => void {
    const hearer = { keys, run };
    this.hearers.add(hearer);
    return () => this.hearers.delete(hearer);
  }

  toast(severity: Toast['severity'], text: string, more: Partial<Toast> = {}): void {
    // The same words again mean the same thing: once is enough.
    if (this.state.toasts.some((t) => t.text === text)) return;
    const toast: Toast = { key: this.nextToast++, severity, text, ...more };
    this.set({ toasts: [...this.state.toasts.slice(-4), toast] });
    if (!toast.sticky) setTimeout(() => this.dismiss(toast.key), severity === 'error' ? 9000 : 4500);
  }

  dismiss(key: number): void {
    this.set({ toasts: this.state.toasts.filter((t) => t.key !== key) });
  }
}
