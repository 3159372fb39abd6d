// node scripts/studio_figures.mjs: figures of the page, measured: drag latency at 1000 solids (from the mouse event to
// the state that contains it, applied to the page's scene), bytes per frame, page weight, time to the first picture; then
// 32 viewers for 30 s, one of them a page (studio_viewers.mjs). Ends with 1 when a figure falls short of what is promised.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { BROWSER_ARGUMENTS, line, LINKS, median, root, share, startStudio, thousand } from './bench_scene.mjs';
import { measureViewers, printViewers } from './studio_viewers.mjs';

function weight() {
  const dist = join(root, 'web/dist');
  let raw = 0, packed = 0;
  for (const name of readdirSync(dist, { recursive: true })) {
    try {
      const bytes = readFileSync(join(dist, name));
      raw += bytes.length;
      packed += gzipSync(bytes).length;
    } catch { /* a folder */ }
  }
  return { raw, packed };
}

const LATENCY_MS = 2000 / 60, FIRST_PICTURE_MS = 2000;

/** From the start of the command to the first picture in a browser that is open already: a window as people have it, the first scene that they see. */
async function firstPicture(browser) {
  const server = await startStudio(join(root, 'scenes/monocycle_riding.arm'));
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  try {
    await page.goto(server.url);
    while (!(await page.evaluate(() => window.__studio?.ready === true))) await page.waitForTimeout(5);
    return performance.now() - server.started;
  } finally {
    await page.close();
    await server.stop();
  }
}

const { file, remove } = thousand();
const server = await startStudio(file);
const served = Math.round(server.servedMs);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: BROWSER_ARGUMENTS });
try {
  const page = await browser.newPage({ viewport: { width: 700, height: 420 } });
  await page.addInitScript(() => localStorage.setItem('armature.sizes', JSON.stringify({ left: 100, right: 140, plots: 90 })));
  const opened = Date.now();
  await page.goto(server.url.replace('/#', '/?detail=3#'));
  while (!(await page.evaluate(() => window.__studio?.ready === true))) await page.waitForTimeout(10);
  const first = Date.now() - opened;
  await page.evaluate(() => window.__studio.studio.store.set({ plotsOpen: false, showJoints: false, showLimits: false }));
  await page.evaluate(() => window.__studio.studio.engine.send('play'));
  await page.waitForTimeout(1500);
  const end = `link[5][${LINKS}]`;
  await page.evaluate(() => window.__studio.studio.engine.send('pause'));
  await page.evaluate((b) => window.__studio.studio.view.frameNames([b]), end);
  await page.waitForTimeout(1500);
  const at = await page.evaluate((b) => window.__studio.project(b), end);
  await page.keyboard.down('Control');
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.evaluate(() => window.__studio.studio.engine.send('play'));
  for (let i = 0; i < 240; i++) {
    await page.mouse.move(at.x + 30 * Math.sin(i / 9), at.y - 20 * (1 - Math.cos(i / 13)));
    await page.waitForTimeout(12);
  }
  await page.mouse.up();
  await page.keyboard.up('Control');
  const r = await page.evaluate(() => ({ samples: window.__studio.latency(), counts: window.__studio.counts(), status: window.__studio.state().status }));
  const total = r.samples.map((s) => s.totalMs), engine = r.samples.map((s) => s.serverMs), rest = r.samples.map((s) => s.totalMs - s.serverMs);
  // The same hand while time stands still: every move is a solve of the joints.
  await page.evaluate(() => window.__studio.studio.engine.send('pause'));
  await page.waitForTimeout(500);
  const before = await page.evaluate(() => window.__studio.latency().length);
  const there = await page.evaluate((b) => window.__studio.project(b), end);
  await page.keyboard.down('Control');
  await page.mouse.move(there.x, there.y);
  await page.mouse.down();
  for (let i = 0; i < 120; i++) {
    await page.mouse.move(there.x + 20 * Math.sin(i / 9), there.y - 12 * (1 - Math.cos(i / 13)));
    await page.waitForTimeout(12);
  }
  await page.mouse.up();
  await page.keyboard.up('Control');
  const still = (await page.evaluate((n) => window.__studio.latency().slice(n), before)).map((s) => s.totalMs);
  const { raw, packed } = weight();
  await page.close();
  const times = [];
  for (let i = 0; i < 3; i++) times.push(await firstPicture(browser));
  line('solids', `${r.counts.bodies - 1}, step ${r.status.stepMs.toFixed(2)} ms (${r.status.solver})`);
  line('drag latency, median', `${median(total).toFixed(1)} ms (p90 ${share(total, 0.9).toFixed(1)}) of ${total.length} inputs`, total.length > 50 && median(total) <= LATENCY_MS);
  line('  of which engine', `${median(engine).toFixed(1)} ms (p90 ${share(engine, 0.9).toFixed(1)})`);
  line('  of which way and page', `${median(rest).toFixed(1)} ms (p90 ${share(rest, 0.9).toFixed(1)})`);
  line('while time stands still', `${median(still).toFixed(1)} ms (p90 ${share(still, 0.9).toFixed(1)}) of ${still.length} inputs`, still.length > 30 && median(still) <= LATENCY_MS);
  line('bytes per frame', `${Math.round(r.counts.bytes / r.counts.frames)}`);
  line('draw calls', `${r.counts.drawCalls}`);
  line('first picture', `${times.map((t) => (t / 1000).toFixed(2)).join(', ')} s after the start of the command; with 1000 solids ${((served + first) / 1000).toFixed(2)} s, of which ${served} ms until it has an address`, median(times) <= FIRST_PICTURE_MS);
  line('page weight', `${(raw / 1024).toFixed(0)} KiB, ${(packed / 1024).toFixed(0)} KiB packed`);
} finally {
  await browser.close();
  await server.stop();
  remove();
}
printViewers(await measureViewers(30), 30);
