// node scripts/studio_pictures.mjs [NAME…]: the pictures of docs/studio.md, taken from the running studio.
// Needs a built command (build/release/armature), a built page (npm run build) and chromium.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const out = join(root, 'docs/studio');
// A copy: what is left unsaved here must not be offered to whoever opens these scenes next.
const scenes = mkdtempSync(join(tmpdir(), 'armature-pictures-'));
cpSync(join(root, 'scenes'), scenes, { recursive: true });
const SIZE = { width: 1440, height: 900 };

function startServer(scene) {
  const child = spawn(process.env.ARMATURE ?? join(root, 'build/release/armature'), ['studio', join(scenes, `${scene}.arm`), '--no-open', '--port', '0'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((done, fail) => {
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
      const url = /http:\/\/\S+/.exec(said);
      if (url) done({ url: url[0], stop: () => new Promise((r) => { child.on('exit', r); child.kill('SIGINT'); }) });
    });
    child.on('exit', (code) => fail(new Error(`the studio ended with ${code}`)));
  });
}

async function until(page, test, arg, ms = 30_000) {
  const end = Date.now() + ms;
  while (!(await page.evaluate(test, arg))) {
    if (Date.now() > end) throw new Error(`not in time: ${test}`);
    await page.waitForTimeout(40);
  }
}

const send = (page, command, fields = {}) => page.evaluate(([c, f]) => window.__studio.studio.engine.send(c, f), [command, fields]);
const set = (page, change) => page.evaluate((c) => window.__studio.studio.store.set(c), change);
const look = (page, at, to) => page.evaluate(([a, t]) => {
  const { view } = window.__studio.studio;
  view.follow.active = false;
  view.camera.position.set(...a);
  view.controls.target.set(...t);
  view.controls.update();
}, [at, to]);
const reach = (page, frame) => until(page, (f) => window.__studio.frame()?.frame >= f, frame);

/** Computes frames until the recording has so many, and stops there. */
async function runTo(page, frame) {
  await send(page, 'step', { frames: frame });
  await reach(page, frame);
}

/** Every solid pulled somewhere else and turned, the same way every time; the text does not know. */
async function scatter(page) {
  await page.evaluate(async () => {
    const { bodies } = window.__studio.state().scene;
    const placements = {};
    bodies.forEach((b, i) => {
      if (b.kind !== 'dynamic') return;
      const p = window.__studio.pose(b.name);
      const at = [p[0] + 0.5 * Math.sin(12.9 * i), p[1] + 0.45 * Math.sin(78.2 * i), p[2] + 0.5 * Math.sin(37.7 * i)];
      const a = 0.45 * Math.sin(5.3 * i);
      const [x, y, z, w] = p.slice(3), s = Math.sin(a), c = Math.cos(a);
      placements[b.name] = [...at, c * x + s * y, c * y - s * x, c * z + s * w, c * w - s * z];
    });
    await window.__studio.studio.engine.send('place', { placements, permanent: false });
  });
  await until(page, () => window.__studio.frame().gap > 0.05);
}

const pictures = {
  async monocycle(page) {
    await runTo(page, 330);
    await set(page, { selection: ['leg[1]'], plotted: ['energy', 'gap', 'wheel.at.z'] });
    const p = await page.evaluate(() => window.__studio.pose('body'));
    await look(page, [p[0] + 4.6, p[1] + 0.9, p[2] + 6.2], [p[0], p[1] - 0.75, p[2]]);
  },
  async scattered(page) {
    await set(page, { plotsOpen: false, showLimits: false });
    await scatter(page);
    await look(page, [5.2, 5.4, 9.6], [0, 0, 0]);
  },
  async assembly(page) {
    await set(page, { plotsOpen: false, showLimits: false });
    await scatter(page);
    await page.evaluate(() => void window.__studio.studio.actions.assemble());
    await until(page, () => window.__studio.state().report !== null, undefined, 60_000);
    await look(page, [5.2, 5.4, 9.6], [0, 0, 0]);
  },
  async comparison(page) {
    await page.evaluate(() => window.__studio.studio.actions.ghost('linearized'));
    await until(page, () => window.__studio.state().status?.ghost === 'linearized');
    await set(page, { plotted: ['energy', 'ghost.energy', 'gap', 'ghost.gap'] });
    await send(page, 'play');
    await reach(page, 205);
    await send(page, 'pause');
    await look(page, [1.2, 2.3, 4.6], [0.1, 1.5, 0]);
  },
  async drag(page) {
    await send(page, 'settings', { solver: 'linearized' });
    await set(page, { plotsOpen: false });
    await look(page, [1.5, 2.9, 5.6], [0.8, 2.5, 0]);
    await page.waitForTimeout(800);
    const at = await page.evaluate(() => window.__studio.project('link[20]'));
    const hook = await page.evaluate(() => window.__studio.project('world', [0, 2.5, 0]));
    await page.keyboard.down('Control');
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await send(page, 'play');
    // Up beyond what the chain can reach: the spring between hand and solid shows how far.
    for (let i = 1; i <= 24; i++) {
      await page.mouse.move(at.x - 6 * i, at.y + (i < 14 ? 3 * i : 42));
      await page.waitForTimeout(60);
    }
    const long = Math.hypot(at.x - hook.x, at.y - hook.y);
    await page.mouse.move(hook.x + 0.9 * long, hook.y - 0.72 * long, { steps: 12 });
    await page.waitForTimeout(700);
  },
};
const SCENES = { monocycle: 'monocycle_riding', scattered: 'figure_ring', assembly: 'figure_ring', comparison: 'chain', drag: 'chain' };

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
mkdirSync(out, { recursive: true });
try {
  for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(pictures)) {
    const server = await startServer(SCENES[name]);
    const page = await browser.newPage({ viewport: SIZE });
    await page.goto(server.url);
    await until(page, () => window.__studio?.ready === true && document.querySelector('.cm-content') !== null);
    // The page would lower its detail while software draws; pictures are worth the wait.
    await page.evaluate(() => { const { view } = window.__studio.studio; view.keeper.held = true; view.setDetail(1); });
    await pictures[name](page);
    await page.evaluate(() => window.__studio.studio.view.setDetail(0));
    await page.waitForTimeout(2500);
    await page.screenshot({ path: join(out, `${name}.png`) });
    console.log(join('docs/studio', `${name}.png`));
    await page.close();
    await server.stop();
  }
} finally {
  await browser.close();
  rmSync(scenes, { recursive: true, force: true });
}
