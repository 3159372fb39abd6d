// Time, solvers, comparison, assembly, the doctor, plots.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { command_, open, openStudio, stopped, until, type Studio } from './harness';

let studio: Studio;
beforeAll(async () => { studio = await openStudio('pendulum.arm', { width: 1000, height: 620 }); });
afterAll(() => studio?.close());
beforeEach(async () => {
  await open(studio.page, 'double_pendulum');
  await studio.page.locator('studio-view canvas').focus();
});

const frame = () => studio.page.evaluate(() => window.__studio.frame()!.frame);
const atFrame = (n: number) => until(studio.page, (f) => window.__studio.frame()?.frame === f, n, `frame ${n}`);
const playing = (is: boolean) => until(studio.page, (p) => window.__studio.state().status?.playing === p, is, `playing ${is}`);

/** Pixels of the plots that have this colour: a curve that is there is drawn with hundreds of them. */
const curve = (r: number, g: number, b: number) => studio.page.evaluate((c) => [...document.querySelectorAll<HTMLCanvasElement>('.graph canvas')].reduce((n, canvas) => {
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 128 && Math.abs(data[i] - c[0]) + Math.abs(data[i + 1] - c[1]) + Math.abs(data[i + 2] - c[2]) < 30) n++;
  return n;
}, 0), [r, g, b]);

describe('time', () => {
  it('Space plays and pauses, arrows step, Backspace resets, + and − change the speed', async () => {
    const { page } = studio;
    await page.keyboard.press('Space');
    await playing(true);
    await until(page, () => window.__studio.frame()!.frame > 10);
    await page.keyboard.press('Space');
    await stopped(page);
    const n = await frame();
    await page.keyboard.press('ArrowRight');
    await atFrame(n + 1);
    await page.keyboard.press('ArrowLeft');
    await atFrame(n);
    await page.keyboard.press('ArrowLeft');
    await atFrame(n - 1);
    // What the engine does, not what the button says: simulated seconds per second of the clock.
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    await page.keyboard.press('Space');
    await until(page, () => { const s = window.__studio.state().status!; return s.playing && s.realTimeFactor > 0.15 && s.realTimeFactor < 0.35; }, undefined, 'a quarter of real time');
    for (let i = 0; i < 3; i++) await page.keyboard.press('+');
    expect(await page.evaluate(() => window.__studio.state().speed)).toBe(2);
    await until(page, () => window.__studio.state().status!.realTimeFactor > 1.4, undefined, 'twice real time');
    await page.keyboard.press('-');
    await page.keyboard.press('Space');
    await stopped(page);
    expect(await page.textContent('studio-status [data-cell=time]')).toContain(`${(await page.evaluate(() => window.__studio.frame()!.time)).toFixed(3)} s`);
    await page.keyboard.press('Backspace');
    await atFrame(0);
  });

  it('is scrubbed on the timeline, and runs on from any frame', async () => {
    const { page } = studio;
    await command_(page, 'step', { frames: 120 });
    await atFrame(120);
    const last = await page.evaluate(() => window.__studio.pose(window.__studio.state().scene!.bodies[1].name)!);
    const box = (await page.locator('.track').boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.25, box.y + box.height / 2, { steps: 6 });
    await page.mouse.up();
    await until(page, () => Math.abs(window.__studio.frame()!.frame - 30) <= 1, undefined, 'frame 30');
    const at = await frame();
    // What was computed before is there again, to the bit of the frame.
    await command_(page, 'seek', { frame: 120 });
    await atFrame(120);
    expect(await page.evaluate(() => window.__studio.pose(window.__studio.state().scene!.bodies[1].name)!)).toEqual(last);
    await command_(page, 'seek', { frame: at });
    await atFrame(at);
    await command_(page, 'speed', { factor: 0.05 });  // slow enough to be seen before it has caught up
    await page.keyboard.press('Space');
    await until(page, (f) => window.__studio.frame()!.frame > f + 2 && window.__studio.state().status!.recorded[1] < 120, at, 'it runs on from there');
    await command_(page, 'pause');
    await command_(page, 'speed', { factor: 1 });
  });

  it('loops a range chosen with Shift', async () => {
    const { page } = studio;
    await command_(page, 'step', { frames: 100 });
    await atFrame(100);
    const box = (await page.locator('.track').boundingBox())!;
    await page.keyboard.down('Shift');
    await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await until(page, () => window.__studio.state().status?.loop != null, undefined, 'a loop');
    await command_(page, 'play');
    await until(page, () => window.__studio.frame()!.frame <= 52, undefined, 'the range');
    const seen = new Set<number>();
    for (let i = 0; i < 30; i++) { seen.add(await frame()); await page.waitForTimeout(40); }
    expect(Math.max(...seen)).toBeLessThanOrEqual(52);
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(18);
    expect(seen.size).toBeGreaterThan(5);
    await command_(page, 'pause');
    await page.click('[data-do=loop]');
    await until(page, () => window.__studio.state().status?.loop == null, undefined, 'no loop');
  });
});

describe('solvers', () => {
  it('are chosen while it runs, and so are scheme, step and iterations', async () => {
    const { page } = studio;
    await command_(page, 'play');
    await page.selectOption('select[data-do=solver]', 'linearized');
    await until(page, () => window.__studio.state().status?.solver === 'linearized');
    expect(await page.evaluate(() => window.__studio.state().status!.playing)).toBe(true);
    await page.click('[data-do=settings]');
    await page.fill('[data-setting=dt]', '1/120');
    await page.press('[data-setting=dt]', 'Enter');
    await until(page, () => Math.abs(window.__studio.state().status!.dt - 1 / 120) < 1e-6);
    await page.selectOption('[data-setting=scheme]', 'euler');
    await until(page, () => window.__studio.state().status!.scheme === 'euler');
    await page.fill('[data-setting=iterations]', '77');
    await page.press('[data-setting=iterations]', 'Enter');
    await page.fill('[data-setting=budget]', '0.01');
    await page.press('[data-setting=budget]', 'Enter');
    await until(page, () => { const n = window.__studio.state().scene!.settings.now; return n.iterations === 77 && n.budget === 0.01; }, undefined, 'iterations and budget');
    await page.mouse.click(500, 300);
    await command_(page, 'pause');
    await command_(page, 'settings', { solver: null, scheme: null, dt: null, iterations: null, budget: null });
  });

  it('that cannot do a scene are refused with the reason, and the box says what is in force', async () => {
    const { page } = studio;
    await open(page, 'dominoes');
    // What is said of the scene before may still be on its way.
    const inForce = (s: string, what: string) => until(page, (x) => (document.querySelector('select[data-do=solver]') as HTMLSelectElement).value === x && window.__studio.state().status!.solver === x, s, what);
    await inForce('displacement', 'the one of the scene');
    await page.selectOption('select[data-do=solver]', 'procedural');
    await until(page, () => [...document.querySelectorAll('.toast.error')].some((t) => t.textContent!.includes('procedural')), undefined, 'the reason');
    await inForce('displacement', 'the one before');
    // A box that was set by hand follows what is set elsewhere all the same.
    await page.selectOption('select[data-do=solver]', 'linearized');
    await inForce('linearized', 'another');
    await command_(page, 'settings', { solver: null });
    await inForce('displacement', 'what the text says again');
  });

  it('are compared: a ghost under a second one, and both error curves', async () => {
    const { page } = studio;
    await page.click('[data-do=ghost]');
    await page.click('.menu .sheet button:has-text("linearized")');
    await until(page, () => window.__studio.state().status?.ghost === 'linearized');
    await command_(page, 'play');
    await until(page, () => window.__studio.studio.view!.ghostPoses !== null && window.__studio.frame()!.frame > 20, undefined, 'a ghost');
    await command_(page, 'pause');
    await until(page, () => [...document.querySelectorAll('.chip')].some((c) => c.textContent!.includes('ghost.gap')) && document.querySelectorAll('.graph canvas').length >= 2, undefined, 'both curves');
    const reply = await command_(page, 'plot', { quantities: ['gap', 'ghost.gap'], from: 0 });
    expect((reply.series as { values: number[] }[])[1].values.length).toBeGreaterThan(20);
    // Both are drawn: the curves of the first solver, and those of the second in the ghost's colour.
    await until(page, () => document.querySelectorAll('.chip').length === 4);
    await vi.waitFor(async () => {
      expect(await curve(0xed, 0xa9, 0x5c)).toBeGreaterThan(50);
      expect(await curve(0x9f, 0xb8, 0xff)).toBeGreaterThan(50);
    }, 5000);
    const ghost = await page.evaluate(() => (window.__studio.studio.view as unknown as { ghost: { group: { visible: boolean; children: { count: number }[] } } }).ghost.group);
    expect(ghost.children.reduce((n, m) => n + m.count, 0)).toBeGreaterThan(1);
    expect(await page.textContent('.legend')).toContain('linearized');
    await page.evaluate(() => window.__studio.studio.actions.ghost(null));
    await until(page, () => !window.__studio.state().status?.ghost && document.querySelector('.legend') === null);
  });
});

describe('assembly', () => {
  it('brings parts together that were pulled anywhere, and says how well', async () => {
    const { page } = studio;
    await open(page, 'four_bar');
    const place = await page.evaluate(() => { const p = window.__studio.pose('rocker-arm')!; return [p[0] + 0.3, p[1] + 0.25, p[2] + 0.2, ...p.slice(3)]; });
    await command_(page, 'place', { placements: { 'rocker-arm': place }, permanent: false });
    await until(page, () => window.__studio.frame()!.gap > 0.1, undefined, 'apart');
    // They are seen to come: pictures of the way, each nearer than the ones before it began.
    await page.evaluate(() => {
      const seen: number[] = [];
      (window as unknown as { way: number[] }).way = seen;
      window.__studio.studio.store.on(['frame'], () => { const f = window.__studio.state().frame; if (f?.kind === 2) seen.push(window.__studio.pose('rocker-arm')![0]); });
    });
    await page.click('[data-do=assemble]');
    await until(page, () => window.__studio.state().report?.title === 'Assembly' && window.__studio.frame()!.gap < 1e-3, undefined, 'together');
    expect(await page.textContent('studio-report')).toContain('Assembly');
    expect(await page.evaluate(() => new Set((window as unknown as { way: number[] }).way).size)).toBeGreaterThan(3);
    expect(await page.evaluate(() => window.__studio.state().report!.good)).toBe(true);
    // Undo is of poses too: apart again, and then where they were at first.
    await page.locator('studio-view canvas').focus();
    await page.keyboard.press('Control+z');
    await until(page, () => window.__studio.frame()!.gap > 0.1, undefined, 'apart again');
    await page.keyboard.press('Control+z');
    await until(page, () => window.__studio.frame()!.gap < 1e-3, undefined, 'as it was opened');
    expect(await page.evaluate(() => window.__studio.state().scene!.canUndo)).toBe(false);
  });

  it('says what could not be satisfied', async () => {
    const { page } = studio;
    await command_(page, 'open', { name: 'stuck.arm', text: 'object rod capsule radius 0.05 length 1; at 0 1 0; end\nconstraint left object2 rod; hinge -1 1 0  0 -0.5 0; end\nconstraint right object2 rod; hinge 3 1 0  0 0.5 0; end\n' });
    await until(page, () => window.__studio.state().scene?.name.startsWith('stuck') === true && window.__studio.state().frame?.revision === window.__studio.state().scene!.revision);
    await page.evaluate(() => window.__studio.studio.store.set({ report: null }));
    await page.click('[data-do=assemble]');
    await until(page, () => window.__studio.state().report !== null, undefined, 'a report', 20_000);
    expect(await page.evaluate(() => ({ good: window.__studio.state().report!.good, n: window.__studio.state().report!.culprits.length }))).toMatchObject({ good: false });
    expect(await page.textContent('studio-report')).toMatch(/left|right/);
  });

  it('is looked at by the doctor', async () => {
    const { page } = studio;
    await open(page, 'four_bar');
    await page.click('[data-do=doctor]');
    await until(page, () => window.__studio.state().report?.title === 'Doctor');
    expect(await page.textContent('studio-report')).toContain('Mobility');
    await page.locator('.finding').first().click();
    expect(await page.evaluate(() => window.__studio.state().selection.length)).toBeGreaterThan(0);
    await until(page, () => window.__studio.studio.view!.overrides.size > 0, undefined, 'the freedom is shown');
    await until(page, () => window.__studio.studio.view!.overrides.size === 0, undefined, 'and everything is back');
  });
});

describe('measuring', () => {
  it('plots energy, momentum, gaps and any coordinate against time', async () => {
    const { page } = studio;
    const name = await page.evaluate(() => window.__studio.state().scene!.bodies[1].name);
    await command_(page, 'step', { frames: 30 });
    await until(page, () => document.querySelectorAll('#quantities option').length > 10, undefined, 'quantities');
    for (const q of ['momentum.x', `${name}.at.y`]) {
      await page.fill('[data-do=add-plot]', q);
      await page.press('[data-do=add-plot]', 'Enter');
    }
    await until(page, (q) => window.__studio.state().plotted.includes(q) && document.querySelectorAll('.graph').length >= 3, `${name}.at.y`, 'curves');
    // The third and the fourth curve, in their colours.
    await vi.waitFor(async () => {
      expect(await curve(0x74, 0xc3, 0x95)).toBeGreaterThan(50);
      expect(await curve(0xd9, 0x8a, 0xd0)).toBeGreaterThan(50);
    }, 5000);
    await page.evaluate(() => window.__studio.studio.store.set({ plotted: ['energy', 'gap'] }));
  });

  it('shows the report of the run', async () => {
    const { page } = studio;
    await command_(page, 'step', { frames: 10 });
    await page.click('[data-do=file]');
    await page.click('.sheet button:has-text("Report of the run")');
    await until(page, () => window.__studio.state().report?.title === 'Run report');
    expect(await page.textContent('studio-report')).toContain('worst gap');
  });
});
