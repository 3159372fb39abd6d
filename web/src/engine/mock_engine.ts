// An engine without physics: a hanging row of rods that sway by a formula. It answers enough of the protocol for unit
// tests and for work on the page without a server (`?mock` in the development server).
import { failed, type Engine, type EngineListener } from './engine';
import { decodeFrame, encodeFrame, FrameKind, NO_JOINT } from './frame';
import { mockHello } from './mock_schema';
import type { Reply, SceneEvent, StatusEvent, Vec3 } from './messages';

const PITCH = 0.1;

export class MockEngine implements Engine {
  listener: EngineListener | null = null;
  /** Every command that came, for tests. */
  readonly log: { command: string; fields: Record<string, unknown> }[] = [];
  private playing = false;
  private frame = 0;
  private last = 0;
  private revision = 1;
  private timer: ReturnType<typeof setInterval> | undefined;
  private input = 0;
  private pulled: Vec3 = [0, 0, 0];
  private texts: string[];
  private place = 0;

  constructor(private readonly links = 12) {
    this.texts = [mockText(links)];
  }

  start(listener: EngineListener): void {
    this.listener = listener;
    listener.connection('open');
    listener.hello(mockHello());
    this.tellScene();
    this.tellStatus();
    this.tellFrame();
    this.timer = setInterval(() => this.tick(), 1000 / 60);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  async send(command: string, fields: Record<string, unknown> = {}): Promise<Reply> {
    this.log.push({ command, fields });
    const reply = this.obey(command, fields);
    this.tellStatus();
    return reply;
  }

  post(command: string, fields: Record<string, unknown> = {}): void {
    void this.send(command, fields);
  }

  async download(): Promise<Blob> {
    return new Blob(['nothing']);
  }

  async thumbnail(): Promise<string> {
    return '';
  }

  private obey(command: string, fields: Record<string, unknown>): Reply {
    const ok: Reply = { id: 0, ok: true };
    switch (command) {
      case 'play': this.playing = true; return ok;
      case 'pause': this.playing = false; return ok;
      case 'reset': this.playing = false; this.frame = this.last = 0; this.tellFrame(); return ok;
      case 'seek': this.frame = Number(fields.frame); this.playing = false; this.tellFrame(); return ok;
      case 'step':
        this.frame = Math.max(0, this.frame + Number(fields.frames ?? 1));
        this.last = Math.max(this.last, this.frame);
        this.tellFrame();
        return ok;
      case 'text':
        this.change(String(fields.text));
        return { ...ok, problems: [] };
      case 'undo':
      case 'redo': {
        const next = this.place + (command === 'undo' ? -1 : 1);
        if (next < 0 || next >= this.texts.length) return failed(`Nothing to ${command}.`);
        this.place = next;
        this.tellScene();
        return ok;
      }
      case 'grab': return { ...ok, drag: 'hand' };
      case 'pull':
        this.input = Number(fields.input ?? 0);
        this.pulled = fields.target as Vec3;
        this.tellFrame();
        return ok;
      case 'quantities':
        return { ...ok, quantities: [{ name: 'energy', unit: 'J', group: 'scene' }, { name: 'worst_gap', unit: 'm', group: 'scene' }] };
      case 'plot': {
        const n = this.last + 1;
        const time = Array.from({ length: n }, (_, i) => i / 60);
        const names = fields.quantities as string[];
        return { ...ok, time, series: names.map((name, k) => ({ name, unit: 'J', values: time.map((t) => Math.sin(t * (k + 1))) })) };
      }
      default: return ok;
    }
  }

  private change(text: string): void {
    this.texts.length = this.place + 1;
    this.texts.push(text);
    this.place++;
    this.tellScene();
  }

  private tick(): void {
    if (!this.playing) return;
    this.frame++;
    this.last = Math.max(this.last, this.frame);
    this.tellFrame();
    if (this.frame % 6 === 0) this.tellStatus();
  }

  poses(frame = this.frame): Float32Array {
    const out = new Float32Array(7 * (this.links + 1));
    out.set([0, 0, 0, 0, 0, 0, 1]);
    let x = 0;
    let y = 2.5;
    for (let i = 0; i < this.links; i++) {
      const angle = -Math.PI / 2 + 0.9 * Math.sin(frame / 40 - i * 0.15);
      const dx = Math.cos(angle) * PITCH;
      const dy = Math.sin(angle) * PITCH;
      out.set([x + dx / 2, y + dy / 2, 0, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)], 7 * (i + 1));
      x += dx;
      y += dy;
    }
    return out;
  }

  private tellFrame(): void {
    const data = encodeFrame({
      kind: FrameKind.live, revision: this.revision, frame: this.frame, time: this.frame / 60, input: this.input,
      worstJoint: this.frame > 0 ? 1 : NO_JOINT, gap: 1.2e-5, energy: 3.2 + this.pulled[0], stepMs: 0.4, serverMs: 0.1,
      poses: this.poses(),
    });
    const frame = decodeFrame(data);
    if (frame) this.listener?.frame(frame);
  }

  private tellStatus(): void {
    const status: StatusEvent = {
      event: 'status', playing: this.playing, frame: this.frame, time: this.frame / 60, recorded: [0, this.last],
      realTimeFactor: this.playing ? 1 : 0, solver: 'displacement', scheme: 'newton', dt: 1 / 60,
      gap: { value: 1.2e-5, joint: 'joint[1]' }, angle: 0, energy: 3.2, iterations: 12, state: 'ok', viewers: 1,
      stepMs: 0.4, message: '', loop: null, ghost: null, drags: [],
    };
    this.listener?.event(status);
  }

  private tellScene(): void {
    const bodies: SceneEvent['bodies'] = [{ name: 'world', kind: 'fixed', color: [0.5, 0.5, 0.5], shapes: [], editable: false, line: 0 }];
    const joints: SceneEvent['joints'] = [];
    for (let i = 0; i < this.links; i++) {
      bodies.push({
        name: `link[${i + 1}]`, kind: i === 0 ? 'fixed' : 'dynamic', color: [0.5 + 0.4 * ((i + 1) % 2), 0.55, 0.3], mass: 0.1,
        shapes: [{ kind: 'capsule', radius: 0.15 * PITCH, length: 0.7 * PITCH, pose: [0, 0, 0, 0, 0, -Math.SQRT1_2, Math.SQRT1_2] }],
        editable: true, line: 4,
      });
      joints.push({
        name: i === 0 ? 'hook' : `joint[${i}]`, kind: 'ball', body1: i, body2: i + 1,
        p1: i === 0 ? [0, 2.5, 0] : [PITCH / 2, 0, 0], p2: [-PITCH / 2, 0, 0], line: 10,
      });
    }
    const text = this.texts[this.place];
    this.listener?.event({
      event: 'scene', revision: this.revision, file: 'chain.arm', name: 'chain', title: 'Chain', text, dirty: this.place > 0,
      canUndo: this.place > 0, canRedo: this.place + 1 < this.texts.length, problems: [], autosave: null, bodies, joints,
      groups: [
        { kind: 'repeat', name: 'i', line: 3, children: bodies.slice(1).map((b) => ({ kind: 'object', name: b.name, path: b.name, line: b.line })) },
        ...joints.map((j) => ({ kind: 'constraint', name: j.name, path: j.name, line: j.line })),
      ],
      settings: {
        now: { solver: 'displacement', scheme: 'newton', dt: 1 / 60, iterations: 1000, tolerance: 1e-4, budget: 0 },
        text: { solver: 'displacement', scheme: 'newton', dt: 1 / 60, iterations: 1000, tolerance: 1e-4, budget: 0 },
      },
      size: { centre: [0, 1.9, 0], radius: 1.2 },
    });
  }
}

function mockText(links: number): string {
  return `title "Chain";  // of the engine without physics
parameter links ${links};
repeat i from 1 to links
  object link[i]
    capsule radius 0.015 length 0.07 axis 1 0 0;
    density 2000;
    at (i - 0.5)*0.1 2.5 0;
  end
end
constraint hook object2 link[1]; hinge 0 2.5 0 -0.05 0 0; end
`;
}
