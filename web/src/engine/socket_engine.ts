// The engine behind a WebSocket. Connects again by itself, ever more slowly up to two seconds: a server that was
// restarted is found again without a click.
import { failed, type Connection, type Engine, type EngineListener } from './engine';
import { decodeFrame } from './frame';
import type { EngineEvent, Hello, Reply } from './messages';

const FIRST_WAIT_MS = 150;
const LONGEST_WAIT_MS = 2000;

export class SocketEngine implements Engine {
  private socket: WebSocket | null = null;
  private listener: EngineListener | null = null;
  private nextId = 1;
  private waiting = new Map<number, (reply: Reply) => void>();
  private wait = FIRST_WAIT_MS;
  private timer = 0;
  private stopped = false;
  private everOpen = false;

  constructor(private readonly base: URL, private readonly token: string) {}

  start(listener: EngineListener): void {
    this.listener = listener;
    this.stopped = false;
    this.connect();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  send(command: string, fields: Record<string, unknown> = {}): Promise<Reply> {
    const socket = this.socket;
    if (!socket || socket.readyState !== WebSocket.OPEN)
      return Promise.resolve(failed('There is no connection to the engine.'));
    const id = this.nextId++;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, do: command, ...fields }));
    });
  }

  post(command: string, fields: Record<string, unknown> = {}): void {
    void this.send(command, fields);
  }

  async download(what: string): Promise<Blob> {
    const answer = await this.fetch(`api/export?what=${encodeURIComponent(what)}`);
    return answer.blob();
  }

  async thumbnail(scene: string): Promise<string> {
    const answer = await this.fetch(`api/thumbnail?scene=${encodeURIComponent(scene)}`);
    return URL.createObjectURL(await answer.blob());
  }

  private async fetch(path: string): Promise<Response> {
    const answer = await fetch(new URL(path, this.base), { headers: { Authorization: `Bearer ${this.token}` } });
    if (!answer.ok) throw new Error((await answer.text()).trim() || `${answer.status} ${answer.statusText}`);
    return answer;
  }

  private connect(): void {
    this.tell('connecting');
    const url = new URL('ws', this.base);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(url, ['armature.v1', `token.${this.token}`]);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT_MS;
      this.everOpen = true;
      this.tell('open');
      void this.send('hello').then((reply) => {
        if (reply.ok) this.listener?.hello(reply as unknown as Hello);
      });
    };
    socket.onmessage = (message) => this.receive(message.data as string | ArrayBuffer);
    socket.onclose = () => this.closed(socket);
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') {
      const frame = decodeFrame(data);
      if (frame) this.listener?.frame(frame);
      return;
    }
    const message = JSON.parse(data) as Reply & Partial<EngineEvent>;
    if (message.event) {
      this.listener?.event(message as unknown as EngineEvent);
      return;
    }
    if (message.id === null || message.id === undefined) return;
    const resolve = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    resolve?.(message);
  }

  private closed(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.socket = null;
    for (const resolve of this.waiting.values()) resolve(failed('The connection to the engine was lost.'));
    this.waiting.clear();
    if (this.stopped) return;
    // A browser does not tell a page why an upgrade was refused. Without one success the token is the likely reason.
    this.tell(this.everOpen ? 'lost' : 'refused');
    this.timer = window.setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 1.6, LONGEST_WAIT_MS);
  }

  private tell(state: Connection): void {
    this.listener?.connection(state);
  }
}
