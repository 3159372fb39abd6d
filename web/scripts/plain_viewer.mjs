// A viewer without a page: a WebSocket client of sixty lines that takes frames and counts them. Node's own has no way
// to set Origin, which the studio asks for; nothing else of the protocol is needed here.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';

const FRAME = 0x46524d41;

export class PlainViewer {
  frames = 0;
  /** The number of the newest frame. */
  last = -1;
  /** Milliseconds of the step of each frame that came, by its number. */
  steps = new Map();
  #socket;
  #rest = Buffer.alloc(0);
  #replies = new Map();
  #nextId = 1;

  static open(url) {
    const { port, hash } = new URL(url);
    const token = /token=([0-9a-f]+)/.exec(hash)[1];
    const viewer = new PlainViewer();
    return new Promise((done, fail) => {
      const socket = (viewer.#socket = connect(Number(port), '127.0.0.1'));
      socket.on('error', fail);
      socket.write(`GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n`
        + `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Protocol: armature.v1, token.${token}\r\n\r\n`);
      let head = '';
      const greet = (data) => {
        head += data.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        socket.off('data', greet);
        if (!head.startsWith('HTTP/1.1 101')) return fail(new Error(head.slice(0, 60)));
        socket.on('data', (more) => viewer.#take(more));
        viewer.#take(Buffer.from(head.slice(end + 4), 'latin1'));
        viewer.send('hello').then(() => done(viewer));
      };
      socket.on('data', greet);
    });
  }

  send(command, fields = {}) {
    const id = this.#nextId++;
    this.#write(1, Buffer.from(JSON.stringify({ id, do: command, ...fields })));
    return new Promise((done) => this.#replies.set(id, done));
  }

  /** Reads nothing more, as a page that a debugger has stopped. */
  freeze() {
    this.#socket.pause();
  }
  thaw() {
    this.#socket.resume();
  }

  close() {
    this.#socket.destroy();
  }

  #write(opcode, payload) {
    const mask = randomBytes(4);
    const head = payload.length < 126 ? Buffer.from([0x80 | opcode, 0x80 | payload.length]) : Buffer.from([0x80 | opcode, 0xfe, payload.length >> 8, payload.length & 255]);
    this.#socket.write(Buffer.concat([head, mask, payload.map((byte, i) => byte ^ mask[i & 3])]));
  }

  #take(data) {
    this.#rest = this.#rest.length ? Buffer.concat([this.#rest, data]) : data;
    for (;;) {
      const b = this.#rest;
      if (b.length < 2) return;
      let length = b[1] & 127, at = 2;
      if (length === 126) { if (b.length < 4) return; length = b.readUInt16BE(2); at = 4; }
      else if (length === 127) { if (b.length < 10) return; length = Number(b.readBigUInt64BE(2)); at = 10; }
      if (b.length < at + length) return;
      this.#message(b[0] & 15, b.subarray(at, at + length));
      this.#rest = b.subarray(at + length);
    }
  }

  #message(opcode, payload) {
    if (opcode === 2 && payload.length >= 64 && payload.readUInt32LE(0) === FRAME) {
      this.frames++;
      this.last = Number(payload.readBigInt64LE(16));
      this.steps.set(this.last, payload.readFloatLE(48));
    } else if (opcode === 9) this.#write(10, payload);
    else if (opcode === 1 && payload.includes('"id"')) {
      const reply = JSON.parse(payload.toString());
      this.#replies.get(reply.id)?.(reply);
      this.#replies.delete(reply.id);
    }
  }
}
