// node scripts/studio_viewers.mjs [SECONDS]: a thousand solids at 60 Hz with 32 viewers, one of them a real page: what a
// step takes, how many states each viewer gets, and whether the simulation is the same as without them.
import { chromium } from 'playwright-core';
import { BROWSER_ARGUMENTS, share, startStudio, thousand } from './bench_scene.mjs';
import { PlainViewer } from './plain_viewer.mjs';

const VIEWERS = 32;

export async function measureViewers(seconds) {
  const { file, remove } = thousand();
  const server = await startStudio(file);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: BROWSER_ARGUMENTS });
  const plain = [];
  try {
    const page = await browser.newPage({ viewport: { width: 700, height: 420 } });
    await page.addInitScript(() => localStorage.setItem('armature.sizes', JSON.stringify({ left: 100, right: 140, plots: 90 })));
    await page.goto(server.url.replace('/#', '/?detail=3#'));
    while (!(await page.evaluate(() => window.__studio?.ready === true))) await page.waitForTimeout(20);
    await page.evaluate(() => window.__studio.studio.store.set({ plotsOpen: false, showJoints: false, showLimits: false }));
    for (let i = 0; i < VIEWERS - 1; i++) plain.push(await PlainViewer.open(server.url));
    await plain[0].send('play');
    await page.waitForTimeout(1000);
    const count = async () => [...plain.map((v) => v.frames), await page.evaluate(() => window.__studio.counts().frames)];
    const before = await count();
    const pictures = await page.evaluate(() => window.__studio.counts().pictures);
    plain.forEach((v) => v.steps.clear());
    const started = performance.now();
    await page.waitForTimeout(1000 * seconds);
    const after = await count();
    const took = (performance.now() - started) / 1000;
    const drawn = ((await page.evaluate(() => window.__studio.counts().pictures)) - pictures) / took;
    const { frame, hash } = await plain[0].send('pause');
    const rates = after.map((n, i) => (n - before[i]) / took);
    // Every frame that anybody got; a viewer that lost one does not hide its step.
    const steps = new Map(plain.flatMap((v) => [...v.steps]));
    const seen = { rates: rates.slice(0, -1), page: rates[rates.length - 1], drawn, steps: [...steps.values()], pace: steps.size / took, frame, hash };
    plain.splice(0).forEach((v) => v.close());
    return { ...seen, alone: await alone(file, frame) };
  } finally {
    plain.forEach((v) => v.close());
    await browser.close();
    await server.stop();
    remove();
  }
}

/** The hash of the same scene after as many frames, with one viewer that only asks for it. */
async function alone(file, frames) {
  const server = await startStudio(file);
  const viewer = await PlainViewer.open(server.url);
  try {
    // A command computes a thousand frames, or for five seconds, and says how far it came.
    let reply = await viewer.send('step', { frames });
    while (reply.ok && reply.frame < frames) reply = await viewer.send('step', { frames: frames - reply.frame });
    return reply.hash;
  } finally {
    viewer.close();
    await server.stop();
  }
}

export function printViewers(r, seconds) {
  console.log(`${VIEWERS} viewers, ${seconds} s        step median ${share(r.steps, 0.5).toFixed(2)} ms, p99 ${share(r.steps, 0.99).toFixed(2)} ms, worst ${Math.max(...r.steps).toFixed(2)} ms; ${r.pace.toFixed(1)} steps/s`);
  console.log(`  states/s of 31 clients   ${Math.min(...r.rates).toFixed(1)} – ${Math.max(...r.rates).toFixed(1)}`);
  console.log(`  states/s of the page     ${r.page.toFixed(1)} (pictures drawn: ${r.drawn.toFixed(1)}/s)`);
  console.log(`  state after ${r.frame} frames  ${r.hash === r.alone ? 'the same as without viewers' : `NOT the same: ${r.hash} and ${r.alone}`}`);
}

if (process.argv[1]?.endsWith('studio_viewers.mjs')) {
  const seconds = Number(process.argv[2] ?? 30);
  printViewers(await measureViewers(seconds), seconds);
}
