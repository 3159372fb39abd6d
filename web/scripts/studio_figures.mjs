// node scripts/studio_figures.mjs: figures of the page, measured: drag latency at 1000 solids (from the mouse event to
// the state that contains it, applied to the page's scene), bytes per frame, page weight, time to the first picture; then
// 32 viewers for 30 s, one of them a page (studio_viewers.mjs).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { BROWSER_ARGUMENTS, LINKS, median, root, share, startStudio, thousand } from './bench_scene.mjs';
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
  console.log(`solids                     ${r.counts.bodies - 1}, step ${r.status.stepMs.toFixed(2)} ms (${r.status.solver})`);
  console.log(`drag latency, median       ${median(total).toFixed(1)} ms (p90 ${share(total, 0.9).toFixed(1)}) of ${total.length} inputs`);
  console.log(`  of which engine          ${median(engine).toFixed(1)} ms (p90 ${share(engine, 0.9).toFixed(1)})`);
  console.log(`  of which way and page    ${median(rest).toFixed(1)} ms (p90 ${share(rest, 0.9).toFixed(1)})`);
  console.log(`while time stands still    ${median(still).toFixed(1)} ms (p90 ${share(still, 0.9).toFixed(1)}) of ${still.length} inputs`);
  console.log(`bytes per frame            ${Math.round(r.counts.bytes / r.counts.frames)}`);
  console.log(`draw calls                 ${r.counts.drawCalls}`);
  console.log(`address after              ${served} ms; first picture after another ${first} ms of the page`);
  console.log(`page weight                ${(raw / 1024).toFixed(0)} KiB, ${(packed / 1024).toFixed(0)} KiB packed`);
} finally {
  await browser.close();
  await server.stop();
  remove();
}
printViewers(await measureViewers(30), 30);
