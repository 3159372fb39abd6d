// The messages between the page and its engine, as docs/studio_protocol.md describes them.

export type Vec3 = [number, number, number];
/** x y z qx qy qz qw: the author's frame of a solid in the world. */
export type PoseArray = [number, number, number, number, number, number, number];

export interface Problem {
  severity: 'error' | 'warning' | 'note';
  message: string;
  hint?: string;
  file?: string;
  /** Counts from 1; 0 means no place. */
  line: number;
  /** Counts from 1, in UTF-16 units. */
  column: number;
  length: number;
  /** One of many things that the same lines make: the repeat can be written out first. */
  unroll?: boolean;
}

export type ArgKind =
  | 'number' | 'limit' | 'integer' | 'scalar' | 'vector' | 'choice' | 'word'
  | 'new_name' | 'object' | 'path' | 'track' | 'text' | 'file';

export interface ArgSpec {
  kind: ArgKind;
  name: string;
  unit?: string;
  choices?: string[];
  optional?: boolean;
  repeated?: boolean;
}
export interface OptionSpec {
  name: string;
  doc: string;
  args: ArgSpec[];
  default?: string;
  required?: boolean;
}
export interface KeywordSpec {
  name: string;
  doc: string;
  args: ArgSpec[];
  options: OptionSpec[];
  default?: string;
  repeatable?: boolean;
  required?: boolean;
}
export interface BlockSpec {
  name: string;
  doc: string;
  example?: string;
  header: KeywordSpec;
  keywords: KeywordSpec[];
  contents: string[];
}
export interface Schema {
  blocks: BlockSpec[];
  functions?: { name: string; usage: string; doc: string }[];
  constants?: string[];
}

export interface Named {
  name: string;
  doc?: string;
  summary?: string;
}
export interface GalleryEntry {
  name: string;
  title: string;
  what: string;
}

export interface Hello {
  version: string;
  schema: Schema;
  solvers: (Named | string)[];
  schemes: (Named | string)[];
  gallery: GalleryEntry[];
  folder: string;
}

export type BodyKind = 'dynamic' | 'fixed' | 'path' | 'particle' | 'tracker';

export interface Shape {
  kind: string;
  pose?: PoseArray;
  radius?: number;
  size?: Vec3;
  radii?: Vec3;
  length?: number;
  height?: number;
  axis?: Vec3;
  positions?: number[];
  indices?: number[];
}
export interface Body {
  name: string;
  kind: BodyKind;
  color: Vec3;
  mass?: number | null;
  /** Centre of mass, in its frame. */
  centre?: Vec3;
  shapes: Shape[];
  editable?: boolean;
  line: number;
  file?: string;
}
export interface Limit {
  freedom: string;
  kind?: string;
  min?: number | null;
  max?: number | null;
}
export interface Joint {
  name: string;
  kind: string;
  body1: number | string;
  body2: number | string;
  p1: Vec3;
  p2: Vec3;
  axis1?: Vec3 | null;
  axis2?: Vec3 | null;
  across1?: Vec3 | null;
  across2?: Vec3 | null;
  limits?: Limit[];
  drag?: boolean;
  line: number;
  file?: string;
}
export interface OutlineNode {
  kind: string;
  name: string;
  path?: string;
  line: number;
  file?: string;
  children?: OutlineNode[];
}
export interface Settings {
  solver: string;
  scheme: string;
  dt: number;
  iterations: number;
  tolerance: number;
  budget: number;
}
export interface SceneEvent {
  event: 'scene';
  revision: number;
  file: string;
  name: string;
  title: string;
  text: string;
  dirty: boolean;
  canUndo: boolean;
  canRedo: boolean;
  problems: Problem[];
  /** Text of an unsaved copy that was found. */
  autosave: string | null;
  bodies: Body[];
  joints: Joint[];
  groups: OutlineNode[];
  /** Included files. */
  files?: { file: string; dirty: boolean; autosave: string | null }[];
  settings: { now: Partial<Settings>; text: Partial<Settings> };
  size: { centre: Vec3; radius: number };
}
export interface DragInForce {
  /** Its name, as it would stand in the text. */
  drag: string;
  solid: string;
  point: Vec3;
  target: Vec3;
  pin: boolean;
}
export interface StatusEvent {
  event: 'status';
  playing: boolean;
  frame: number;
  time: number;
  recorded: [number, number];
  realTimeFactor: number;
  solver: string;
  scheme: string;
  dt: number;
  gap: { value: number; joint: string | null };
  angle: number;
  energy: number;
  iterations: number;
  state: string;
  viewers: number;
  stepMs: number;
  message: string;
  loop?: [number, number] | null;
  ghost?: string | null;
  drags?: DragInForce[];
}
export interface FileEvent {
  event: 'file';
  changed: boolean;
  conflict: boolean;
}
export interface MessageEventText {
  event: 'message';
  severity: 'error' | 'warning' | 'info';
  text: string;
}
export interface JobEvent {
  event: 'job';
  job: number;
  what: string;
  /** 0 to 1. */
  done: number;
  end?: 'done' | 'cancelled' | 'failed';
  error?: string;
}
export type EngineEvent = SceneEvent | StatusEvent | FileEvent | MessageEventText | JobEvent;

export interface Reply {
  id: number | null;
  ok: boolean;
  errors?: Problem[];
  problems?: Problem[];
  conflict?: boolean;
  // What a command adds is checked where it is used.
  [key: string]: unknown;
}

export interface CompletionItem {
  label: string;
  kind?: string;
  detail?: string;
  insert?: string;
}
export interface Series {
  name: string;
  unit: string;
  values: (number | null)[];
}
export interface Quantity {
  name: string;
  unit: string;
  group: string;
}
