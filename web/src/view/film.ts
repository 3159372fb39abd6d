// A film of a range of recorded frames: every frame is asked for, drawn and encoded, however long that takes, so that the
// film runs at the right pace even where drawing does not.
import type { Studio } from '../studio';
import { WebmWriter } from '../util/webm';

const KEY_EVERY = 60;

export async function recordFilm(
  studio: Studio, from: number, to: number, width: number, height: number, progress: (share: number) => void,
): Promise<Blob> {
  const view = studio.view;
  if (!view) throw new Error('There is nothing to film.');
  if (typeof VideoEncoder === 'undefined') throw new Error('This browser cannot encode films (WebCodecs is missing).');
  if (to <= from) throw new Error('There is nothing recorded in this range: press play first.');
  const w = width & ~1, h = height & ~1;  // chroma is halved: odd sizes cannot be encoded
  const dt = studio.store.state.status?.dt ?? 1 / 60;
  const writer = new WebmWriter(w, h);
  let failure: Error | null = null;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      writer.add(bytes, chunk.timestamp / 1000, chunk.type === 'key');
    },
    error: (e) => (failure = e),
  });
  encoder.configure({ codec: 'vp8', width: w, height: h, bitrate: 8e6 * Math.max(0.2, (w * h) / (1920 * 1080)), latencyMode: 'quality' });
  await studio.engine.send('pause');
  const old = { w: view.canvas.clientWidth, h: view.canvas.clientHeight, level: view.keeper.level, held: view.keeper.held };
  view.keeper.held = true;
  view.renderer.setPixelRatio(1);
  // Not more pictures than a film needs: steps may be far shorter than a sixtieth.
  const stride = Math.max(1, Math.round(1 / 60 / dt));
  try {
    for (let f = from; f <= to && !failure; f += stride) {
      await arrived(studio, f);
      view.resize(w, h);
      view.draw();
      const frame = new VideoFrame(view.canvas, { timestamp: Math.round((f - from) * dt * 1e6) });
      encoder.encode(frame, { keyFrame: ((f - from) / stride) % KEY_EVERY === 0 });
      frame.close();
      while (encoder.encodeQueueSize > 4) await new Promise((r) => setTimeout(r, 4));
      progress((f - from) / (to - from));
    }
    await encoder.flush();
  } finally {
    encoder.close();
    view.keeper.held = old.held;
    view.setDetail(old.level);
    view.resize(old.w, old.h);
  }
  if (failure) throw failure;
  return writer.finish();
}

/** Asks for a frame and waits until the page has it; a frame that does not come in a second is filmed as it is. */
function arrived(studio: Studio, frame: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => { end(); clearTimeout(timer); resolve(); };
    const end = studio.store.on(['frame'], () => { if (studio.store.state.frame?.frame === frame) done(); });
    const timer = setTimeout(done, 1000);
    void studio.engine.send('seek', { frame }).then(() => { if (studio.store.state.frame?.frame === frame) done(); });
  });
}
