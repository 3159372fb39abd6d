// Keeping: save, export, pictures and films, dropped files; nothing is lost.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Download } from 'playwright-core';
import { command_, open, openPage, openStudio, project, Server, settled, text, until, type Studio } from './harness';

const validator = createRequire(import.meta.url)('gltf-validator') as { validateBytes(b: Uint8Array, o: object): Promise<{ issues: { numErrors: number; numWarnings: number }; info: { animationCount: number } }> };

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio('monocycle.arm', { width: 900, height: 560 });
  await studio.page.evaluate(() => window.__studio.studio.store.set({ plotsOpen: false }));
  await command_(studio.page, 'step', { frames: 40 });
  await until(studio.page, () => window.__studio.state().status!.recorded[1] >= 40);
});
afterAll(() => studio?.close());

async function exported(what: string): Promise<{ name: string; bytes: Buffer }> {
  const { page } = studio;
  await page.evaluate(() => window.__studio.studio.store.set({ exporting: true }));
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 30_000 }), page.click(`[data-export-file=${what}]`)]) as [Download, void];
  const bytes = readFileSync(await download.path());
  await page.evaluate(() => window.__studio.studio.store.set({ exporting: false }));
  return { name: download.suggestedFilename(), bytes };
}

describe('export', () => {
  it('glb: clean for the Khronos validator, with its motion', async () => {
    const { name, bytes } = await exported('glb');
    expect(name).toBe('monocycle.glb');
    const report = await validator.validateBytes(new Uint8Array(bytes), { format: 'glb' });
    expect(report.issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    expect(report.info.animationCount).toBeGreaterThan(0);
  });

  it('CSV: a line per recorded frame', async () => {
    const { bytes } = await exported('csv');
    const lines = bytes.toString().trim().split('\n');
    expect(lines[0]).toContain('time');
    expect(lines.length).toBeGreaterThan(40);
  });

  it('report', async () => {
    expect((await exported('report')).bytes.length).toBeGreaterThan(20);
  });

  it('PNG: of the size asked for', async () => {
    const { page } = studio;
    await page.evaluate(() => window.__studio.studio.store.set({ exporting: true }));
    await page.fill('[data-export=width]', '320');
    await page.fill('[data-export=height]', '200');
    await page.press('[data-export=height]', 'Enter');
    const { bytes } = await exported('png');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([320, 200]);
    // Not one colour: something is drawn.
    expect(bytes.length).toBeGreaterThan(4000);
  });

  it('WebM: of a range, and a browser plays it for as long as it should', async () => {
    const { page } = studio;
    await page.evaluate(() => window.__studio.studio.store.set({ exporting: true }));
    await page.fill('[data-export=width]', '160');
    await page.fill('[data-export=height]', '120');
    await page.fill('[data-export=from]', '10');
    await page.fill('[data-export=to]', '22');
    await page.press('[data-export=to]', 'Enter');
    const { bytes } = await exported('webm');
    const clip = await studio.context.newPage();
    await clip.goto('about:blank');
    const seen = await clip.evaluate(async (data) => {
      const video = document.createElement('video');
      video.src = `data:video/webm;base64,${data}`;
      await new Promise((done, fail) => { video.onloadedmetadata = done; video.onerror = () => fail(new Error('not playable')); });
      const picture = async (t: number) => {
        video.currentTime = t;
        await new Promise((done) => { video.onseeked = done; });
        const canvas = document.createElement('canvas');
        canvas.width = video.videoWidth;
        canvas.height = video.videoHeight;
        const c = canvas.getContext('2d')!;
        c.drawImage(video, 0, 0);
        return Array.from(c.getImageData(0, 0, canvas.width, canvas.height).data);
      };
      const a = await picture(0.01), b = await picture(0.2);
      const colors = new Set(a.map((_, i) => (i % 4 === 0 ? (a[i] >> 4) * 256 + (a[i + 1] >> 4) * 16 + (a[i + 2] >> 4) : -1))).size;
      const changed = a.filter((x, i) => Math.abs(x - b[i]) > 24).length;
      return { w: video.videoWidth, h: video.videoHeight, seconds: video.duration, colors, changed };
    }, bytes.toString('base64'));
    await clip.close();
    expect(seen.w).toBe(160);
    expect(seen.h).toBe(120);
    expect(seen.seconds).toBeCloseTo(13 / 60, 1);
    // Something is in the film, and it moves.
    expect(seen.colors).toBeGreaterThan(20);
    expect(seen.changed).toBeGreaterThan(100);
  });
});

describe('files', () => {
  it('are saved with Ctrl+S', async () => {
    const { page, folder } = studio;
    await command_(page, 'edit', { path: 'push', value: '41' });
    await until(page, () => window.__studio.state().scene!.dirty);
    await page.locator('studio-view canvas').focus();
    await page.keyboard.press('Control+s');
    await until(page, () => !window.__studio.state().scene!.dirty, undefined, 'saved');
    expect(readFileSync(join(folder, 'monocycle.arm'), 'utf8')).toContain('parameter push 41;');
  });

  it('that have no name yet are asked for one', async () => {
    const { page, folder } = studio;
    await open(page, 'pendulum');
    await command_(page, 'edit', { path: 'length', value: '1.25' });
    let offered = '';
    page.once('dialog', (d) => { offered = d.defaultValue(); void d.accept('mine'); });
    await page.locator('studio-view canvas').focus();
    await page.keyboard.press('Control+s');
    await until(page, () => window.__studio.state().scene!.file === 'mine.arm' && !window.__studio.state().scene!.dirty, undefined, 'saved');
    expect(offered).toBe('pendulum.arm');
    expect(readFileSync(join(folder, 'mine.arm'), 'utf8')).toContain('parameter length 1.25;');
  });

  it('that are no text are not opened', async () => {
    const { page } = studio;
    const before = await text(page);
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array([7, 0, 255, 254])], 'picture.png'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
    });
    await until(page, () => [...document.querySelectorAll('.toast.error')].some((t) => t.textContent!.includes('picture.png')), undefined, 'the reason');
    expect(await text(page)).toBe(before);
  });

  it('are opened when dropped', async () => {
    const { page } = studio;
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['title "Dropped";\nobject ball sphere radius 0.2; at 0 1 0; end\n'], 'dropped.arm'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
    });
    await until(page, () => window.__studio.state().scene?.title === 'Dropped' && window.__studio.counts().bodies === 2);
  });
});

describe('nothing is lost', () => {
  it('a reload keeps unsaved work, and closing asks', async () => {
    const { page } = studio;
    await command_(page, 'open', { file: 'monocycle.arm' });
    await until(page, () => window.__studio.state().scene?.file?.endsWith('monocycle.arm') === true);
    await command_(page, 'edit', { path: 'push', value: '42' });
    await until(page, () => window.__studio.state().scene!.dirty);
    let asked = '';
    page.on('dialog', (d) => { asked = d.type(); void d.accept(); });
    await page.mouse.click(450, 200);  // a browser only asks where somebody has touched the page
    await page.reload();
    await until(page, () => window.__studio?.ready === true);
    expect(asked).toBe('beforeunload');
    expect(await text(page)).toContain('parameter push 42;');
  });

  it('a restart of the server offers the unsaved copy', async () => {
    const { context, folder, server, errors } = studio;
    await server.stop();
    await until(studio.page, () => window.__studio.state().connection !== 'open', undefined, 'the page knows that the engine is gone');
    expect(await studio.page.textContent('.veil')).toMatch(/gone|Connecting/);
    expect(readFileSync(join(folder, 'monocycle.arm'), 'utf8')).not.toContain('parameter push 42;');
    const second = await Server.start(join(folder, 'monocycle.arm'));
    try {
      errors.length = 0;
      const page = await openPage(context, second.url, errors);
      await until(page, () => window.__studio.state().toasts.some((t) => t.action !== undefined), undefined, 'an offer');
      await page.click('.toast button.edge');
      await until(page, () => window.__studio.state().scene!.text.includes('parameter push 42;'), undefined, 'the work is back');
    } finally {
      await second.stop();
    }
  });
});

describe('a crash of the server', () => {
  it('loses nothing that was made more than a few seconds before', async () => {
    const crashed = await openStudio('pendulum.arm', { width: 700, height: 460 });
    let second: Server | undefined;
    try {
      await command_(crashed.page, 'edit', { path: 'length', value: '1.75' });
      const copy = join(crashed.folder, '.pendulum.arm.autosave');
      const end = Date.now() + 10_000;
      while (!existsSync(copy) && Date.now() < end) await crashed.page.waitForTimeout(50);
      await crashed.server.crash();
      expect(readFileSync(join(crashed.folder, 'pendulum.arm'), 'utf8')).not.toContain('1.75');
      second = await Server.start(join(crashed.folder, 'pendulum.arm'));
      const page = await openPage(crashed.context, second.url, []);
      await until(page, () => document.querySelector('.toast.warning button.edge') !== null, undefined, 'an offer');
      await page.click('.toast.warning button.edge');
      await until(page, () => window.__studio.state().scene!.text.includes('parameter length 1.75'), undefined, 'the work is back');
    } finally {
      await second?.stop();
      await crashed.close();
    }
  });
});

describe('touch', () => {
  it('one finger orbits, a tap selects, resting on a solid takes hold of it', async () => {
    const touch = await openStudio('chain.arm', { width: 1000, height: 600, touch: true });
    try {
      const { page } = touch;
      await page.evaluate(() => window.__studio.studio.store.set({ plotsOpen: false, showJoints: false }));
      await settled(page);
      const at = await project(page, 'link[10]');
      await page.touchscreen.tap(at.x, at.y);
      await until(page, () => window.__studio.state().selection[0] === 'link[10]', undefined, 'a tap selects');
      const client = await touch.context.newCDPSession(page);
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) =>
        client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
      const camera = () => page.evaluate(() => window.__studio.studio.view!.camera.position.toArray());
      const before = await camera();
      const box = (await page.locator('studio-view canvas').boundingBox())!;
      await send('touchStart', box.x + 100, box.y + box.height - 50);
      for (let i = 1; i < 6; i++) await send('touchMove', box.x + 100 + 15 * i, box.y + box.height - 50);
      await send('touchEnd', 0, 0);
      const elsewhere = (was: number[], what: string) => until(page, (b) => window.__studio.studio.view!.camera.position.toArray().some((x, i) => x !== b[i]), was, what, 5000);
      await elsewhere(before, 'one finger orbits');
      // However long it has rested there: nothing was under it that could be taken.
      const rested = await camera();
      await send('touchStart', box.x + 100, box.y + box.height - 50);
      await page.waitForTimeout(600);
      for (let i = 1; i < 6; i++) await send('touchMove', box.x + 100 + 15 * i, box.y + box.height - 50);
      await send('touchEnd', 0, 0);
      await elsewhere(rested, 'and one that has rested does too');
      // Two fingers that part: nearer.
      const away = () => page.evaluate(() => { const v = window.__studio.studio.view!; return v.camera.position.distanceTo(v.controls.target); });
      const far = await away();
      const two = (type: 'touchStart' | 'touchMove', half: number) => client.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x: 420 - half, y: 300, id: 0 }, { x: 420 + half, y: 300, id: 1 }] });
      await two('touchStart', 30);
      for (let i = 1; i < 6; i++) await two('touchMove', 30 + 6 * i);
      await send('touchEnd', 0, 0);
      await vi.waitFor(async () => expect(await away()).toBeLessThan(0.8 * far), 5000);
      await page.evaluate(() => window.__studio.studio.view!.frameAll(false));
      const link = await project(page, 'link[10]');
      const start = await page.evaluate(() => window.__studio.pose('link[10]')!);
      await send('touchStart', link.x, link.y);
      await until(page, () => (window.__studio.state().status?.drags ?? []).some((d) => d.solid === 'link[10]'), undefined, 'held');
      for (let i = 1; i < 5; i++) await send('touchMove', link.x, link.y - 10 * i);
      await until(page, (y) => window.__studio.pose('link[10]')![1] > y + 0.05, start[1], 'it follows the finger');
      await send('touchEnd', 0, 0);
      await until(page, () => (window.__studio.state().status?.drags ?? []).length === 0, undefined, 'let go');
    } finally {
      await touch.close();
    }
  });
});
