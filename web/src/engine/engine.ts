// What the page knows of a simulation: commands go out, replies, events and frames come in. Today a WebSocket to
// `armature studio` is behind it (socket_engine.ts); the same messages can come from an engine inside the page.
import type { Frame } from './frame';
import type { EngineEvent, Hello, Reply } from './messages';

export type Connection = 'connecting' | 'open' | 'lost' | 'refused';

export interface EngineListener {
  event(event: EngineEvent): void;
  frame(frame: Frame): void;
  /** Told after every (re)connection too: a server that was restarted may offer other solvers. */
  hello(hello: Hello): void;
  connection(state: Connection): void;
}

export interface Engine {
  start(listener: EngineListener): void;
  stop(): void;
  /** Never rejects: a lost connection is a reply with ok false, so that callers have one way to fail. */
  send(command: string, fields?: Record<string, unknown>): Promise<Reply>;
  /** Without waiting for the reply: for what is sent at every move of the mouse. */
  post(command: string, fields?: Record<string, unknown>): void;
  /** A file that the engine makes: glb, csv, report, recording. */
  download(what: string): Promise<Blob>;
  thumbnail(scene: string): Promise<string>;
}

export function failed(message: string): Reply {
  return { id: null, ok: false, errors: [{ severity: 'error', message, line: 0, column: 0, length: 0 }] };
}

/** One sentence for a toast. */
export function reason(reply: Reply): string {
  const first = reply.errors?.[0];
  if (!first) return 'The engine refused without a reason.';
  const place = first.line > 0 ? `line ${first.line}: ` : '';
  return place + first.message + (first.hint ? ` (${first.hint})` : '');
}
