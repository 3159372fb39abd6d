// node scripts/studio_viewers.mjs [SECONDS]: a thousand solids at 60 Hz with 32 viewers, one of them a real page: what a
// step takes, how many states each viewer gets, and whether the simulation is the same as without them; one more that reads
// nothing, what it costs and where it goes on; and five hundred that come and go. Ends with 1 when a figure falls short.
import { readdirSync, readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { BROWSER_ARGUMENTS, line, share, startStudio, thousand } from './bench_scene.mjs';
import { PlainViewer } from './plain_viewer.mjs';

const VIEWERS = 32, RECONNECTS = 500;

const resident = (pid) => 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
const descriptors = (pid) => readdirSync(`/proc/${pid}/fd`).length;
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
async function until(test, ms) {
  const end = performance.now() + ms;
  while (!test() && performance.now() < end) await wait(10);
  return test();
}

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
    const frozen = await PlainViewer.open(server.url);
    await plain[0].send('play');
    await page.waitForTimeout(1000);
    frozen.freeze();
    const frozenAt = frozen.frames;
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
    // What it did not read is gone; it sees what is now.
    frozen.thaw();
    const resumed = (await until(() => frozen.last === frame, 5000)) && frozen.frames - frozenAt;
    frozen.close();
    const cost = await costOfFrozen(server, plain[0]);
    plain.splice(0).forEach((v) => v.close());
    return { ...seen, resumed, ...cost, ...(await reconnects(server)), alone: await alone(file, frame) };
  } finally {
    plain.forEach((v) => v.close());
    await browser.close();
    await server.stop();
    remove();
  }
}

/** Memory that a viewer takes which reads nothing for five seconds, while a recorded range is shown: nothing else grows. */
async function costOfFrozen(server, driver) {
  await driver.send('loop', { from: 0, to: 120 });
  await driver.send('play');
  await wait(3000);
  const before = resident(server.pid);
  const frozen = await PlainViewer.open(server.url);
  frozen.freeze();
  await wait(5000);
  const bytes = resident(server.pid) - before;
  await driver.send('pause');
  frozen.close();
  return { bytes };
}

async function reconnects(server) {
  await wait(1000);  // those that were there before are gone
  const before = descriptors(server.pid);
  for (let i = 0; i < RECONNECTS; i++) (await PlainViewer.open(server.url)).close();
  await until(() => descriptors(server.pid) <= before, 3000);
  return { before, after: descriptors(server.pid) };
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
  const p99 = share(r.steps, 0.99), least = Math.min(...r.rates);
  line(`${VIEWERS} viewers, ${seconds} s`, `step median ${share(r.steps, 0.5).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, worst ${Math.max(...r.steps).toFixed(2)} ms; ${r.pace.toFixed(1)} steps/s`, p99 <= 16.7);
  line('  states/s of 31 clients', `${least.toFixed(1)} – ${Math.max(...r.rates).toFixed(1)}`, least >= 30);
  line('  states/s of the page', `${r.page.toFixed(1)} (pictures drawn: ${r.drawn.toFixed(1)}/s)`, r.page >= 30);
  line(`  state after ${r.frame} frames`, r.hash === r.alone ? 'the same as without viewers' : `NOT the same: ${r.hash} and ${r.alone}`, r.hash === r.alone);
  line('  a frozen one', `${(r.bytes / 1e6).toFixed(1)} MB; after ${seconds} s it ${r.resumed === false ? 'did not come back' : `was at the newest state after ${r.resumed} frames`}`, r.bytes <= 8e6 && r.resumed !== false);
  line(`  ${RECONNECTS} reconnects`, `${r.before} descriptors before, ${r.after} after`, r.after <= r.before);
}

if (process.argv[1]?.endsWith('studio_viewers.mjs')) {
  const seconds = Number(process.argv[2] ?? 30);
  printViewers(await measureViewers(seconds), seconds);
}
