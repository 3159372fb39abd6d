// Seeing and moving around: mouse, keys, names, trails, what is told apart.
import type { Line } from 'three';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { command_, open, openStudio, project, settled, stopped, until, wheel, type Studio } from './harness';

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio('four_bar.arm', { width: 1000, height: 600 });
  await studio.page.evaluate(() => window.__studio.studio.store.set({ plotsOpen: false }));
  await settled(studio.page);
});
afterAll(() => studio?.close());
beforeEach(async () => {
  await open(studio.page, 'four_bar');
  await studio.page.evaluate(() => { window.__studio.studio.store.set({ selection: [], tool: 'select', trails: [], help: false }); window.__studio.studio.view!.frameAll(false); });
  await studio.page.locator('studio-view canvas').focus();
  await settled(studio.page);
});

const camera = () => studio.page.evaluate(() => { const v = window.__studio.studio.view!; return { at: v.camera.position.toArray(), to: v.controls.target.toArray() }; });
const distance = (c: { at: number[]; to: number[] }) => Math.hypot(...c.at.map((x, i) => x - c.to[i]));
const selection = () => studio.page.evaluate(() => window.__studio.state().selection);

async function dragMouse(button: 'left' | 'right', dx: number, dy: number): Promise<void> {
  const { page } = studio;
  const box = (await page.locator('studio-view canvas').boundingBox())!;
  const x = box.x + box.width / 2, y = box.y + box.height - 40;
  await page.mouse.move(x, y);
  await page.mouse.down({ button });
  await page.mouse.move(x + dx, y + dy, { steps: 4 });
  await page.mouse.up({ button });
}

describe('moving around', () => {
  it('left drag orbits, right drag pans, the wheel zooms', async () => {
    const { page } = studio;
    const a = await camera();
    await dragMouse('left', 80, 10);
    const b = await camera();
    expect(b.at).not.toEqual(a.at);
    b.to.forEach((x, i) => expect(x).toBeCloseTo(a.to[i], 6));
    await dragMouse('right', 60, -10);
    const c = await camera();
    expect(c.to).not.toEqual(b.to);
    await wheel(page, -300);
    expect(distance(await camera())).toBeLessThan(distance(c));
  });

  it('1, 3, 7 and the axes in the corner look from the front, the side and above', async () => {
    const { page } = studio;
    const from = async () => { const c = await camera(); const d = distance(c); return c.at.map((x, i) => (x - c.to[i]) / d); };
    const seen = (x: number, y: number, z: number) => until(page, (w) => { const v = window.__studio.studio.view!; const d = v.camera.position.clone().sub(v.controls.target).normalize(); return Math.hypot(d.x - w[0], d.y - w[1], d.z - w[2]) < 0.01; }, [x, y, z], `from ${x} ${y} ${z}`);
    const before = distance(await camera());
    await page.keyboard.press('3');
    await seen(1, 0, 0);
    await page.keyboard.press('7');
    await seen(0, 1, 0);
    await page.keyboard.press('1');
    await seen(0, 0, 1);
    // However quickly one follows the other, the distance stays.
    await until(page, (d) => { const v = window.__studio.studio.view!; return Math.abs(v.camera.position.distanceTo(v.controls.target) - d) < 5e-4; }, before, 'as far away as before');
    // From the front x points to the right and y upwards, in the picture as in the corner.
    const [o, x, y] = [await project(page, 'world'), await project(page, 'world', [0.3, 0, 0]), await project(page, 'world', [0, 0.3, 0])];
    expect(x.x).toBeGreaterThan(o.x + 10);
    expect(y.y).toBeLessThan(o.y - 10);
    // The camera may still glide a little, and ends a last millionth from where it glides to.
    await vi.waitFor(async () => {
      const places = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll('[data-look]')].map((g) => [g.getAttribute('data-look')!, g.getAttribute('transform')!])));
      const place = (axis: string): number[] => (places[axis].match(/-?[\d.]+(e-?\d+)?/g) ?? []).map(Number);
      expect(place('+x')[0]).toBeCloseTo(25, 3);
      expect(place('+y')[1]).toBeCloseTo(-25, 3);
    }, 5000);
    await page.click('[data-look="-x"]');
    await seen(-1, 0, 0);
    expect((await from())[0]).toBeCloseTo(-1, 3);
  });

  it('a click selects, Ctrl adds, F frames, Esc clears, a double click selects and frames', async () => {
    const { page } = studio;
    await page.evaluate(() => window.__studio.studio.store.set({ showJoints: false }));
    const plate = await project(page, 'plate', [0.25, 0, 0]);
    await page.mouse.click(plate.x, plate.y);
    expect(await selection()).toEqual(['plate']);
    const rocker = await project(page, 'rocker-arm', [0.35, 0, 0]);
    await page.keyboard.down('Control');
    await page.mouse.click(rocker.x, rocker.y);
    await page.keyboard.up('Control');
    expect(await selection()).toEqual(['plate', 'rocker-arm']);
    await page.keyboard.press('Escape');
    expect(await selection()).toEqual([]);
    await page.keyboard.press('Control+a');
    expect(await selection()).toEqual(['crank-arm', 'plate', 'rocker-arm', 'pen']);
    await page.keyboard.press('Escape');
    await page.mouse.click(plate.x, plate.y);
    const before = await camera();
    await page.keyboard.press('f');
    await vi.waitFor(async () => expect(distance(await camera())).not.toBeCloseTo(distance(before), 2), 5000);
    await page.keyboard.press('Escape');
    await page.evaluate(() => window.__studio.studio.view!.frameAll(false));
    await page.mouse.dblclick(rocker.x, rocker.y);
    expect(await selection()).toEqual(['rocker-arm']);
    await page.evaluate(() => window.__studio.studio.store.set({ showJoints: true }));
  });

  it('shows names on hover, of solids and of joints, and selects joints by their glyphs', async () => {
    const { page } = studio;
    const plate = await project(page, 'plate', [0.25, 0, 0]);
    await page.mouse.move(plate.x, plate.y);
    await until(page, () => document.querySelector('.tip')?.textContent?.includes('plate') === true, undefined, 'a name');
    const pin = await project(page, 'world', [1, 0, 0]);
    await page.mouse.move(pin.x, pin.y);
    await until(page, () => document.querySelector('.tip')?.textContent?.startsWith('D') === true, undefined, 'the joint D');
    await page.mouse.click(pin.x, pin.y);
    expect(await selection()).toEqual(['D']);
  });

  it('lists everything in the outliner, which searches and selects', async () => {
    const { page } = studio;
    await page.fill('studio-outliner input', 'rock');
    await until(page, () => document.querySelectorAll('studio-outliner .row').length === 1);
    await page.click('studio-outliner .row');
    expect(await selection()).toEqual(['rocker-arm']);
    await page.fill('studio-outliner input', '');
    await until(page, () => document.querySelectorAll('studio-outliner .row').length > 10);
  });

  it('draws trails of chosen solids', async () => {
    const { page } = studio;
    await page.evaluate(() => window.__studio.studio.actions.select('pen'));
    await page.keyboard.press('t');
    await page.keyboard.press('Space');
    await until(page, () => window.__studio.counts().trail > 40, undefined, 'a trail');
    await page.keyboard.press('Space');
    await stopped(page);
    // The line that is drawn begins where the pen was and ends where it is.
    const trail = await page.evaluate(() => {
      const line = window.__studio.studio.view!.trails.group.children[0] as Line;
      const n = line.geometry.drawRange.count, a = line.geometry.attributes.position;
      return { n, visible: line.parent!.visible, first: [a.getX(0), a.getY(0)], last: [a.getX(n - 1), a.getY(n - 1)], pen: window.__studio.pose('pen')! };
    });
    expect(trail.visible).toBe(true);
    expect(trail.last[0]).toBeCloseTo(trail.pen[0], 5);
    expect(trail.last[1]).toBeCloseTo(trail.pen[1], 5);
    expect(Math.hypot(trail.first[0] - trail.last[0], trail.first[1] - trail.last[1])).toBeGreaterThan(0.01);
    // One that is chosen afterwards knows the recording; going back in it shows less.
    const n = await page.evaluate(() => window.__studio.frame()!.frame);
    await page.keyboard.press('t');
    await until(page, () => window.__studio.counts().trail === 0, undefined, 'no trail');
    await page.keyboard.press('t');
    await until(page, (k) => window.__studio.counts().trail === k + 1, n, 'the trail of the recording');
    await command_(page, 'seek', { frame: 10 });
    await until(page, () => window.__studio.counts().trail === 11, undefined, 'eleven points');
    await page.keyboard.press('Backspace');
    await until(page, () => window.__studio.state().frame!.frame === 0 && window.__studio.counts().trail <= 1, undefined, 'no trail');
  });

  it('draws trails of chosen points (Shift+T at the mouse), with what the recording knows of them', async () => {
    const { page } = studio;
    await command_(page, 'step', { frames: 60 });
    await until(page, () => window.__studio.frame()?.frame === 60);
    await page.evaluate(() => window.__studio.studio.store.set({ showJoints: false }));
    const end: [number, number, number] = [0.35, 0, 0];
    const at = await project(page, 'rocker-arm', end);
    await page.mouse.move(at.x, at.y, { steps: 2 });
    await page.keyboard.press('Shift+T');
    await until(page, () => window.__studio.counts().trail === 61, undefined, 'a trail of 61 frames');
    const chosen = await page.evaluate(() => window.__studio.state().trails);
    expect(chosen).toHaveLength(1);
    expect(chosen[0].body).toBe('rocker-arm');
    expect(Math.hypot(...chosen[0].point)).toBeGreaterThan(0.2);
    // Its last point is where the chosen point is now, and its first where it was in frame 0.
    const ends = () => page.evaluate(() => {
      const line = window.__studio.studio.view!.trails.group.children[0] as Line;
      const a = line.geometry.attributes.position, n = line.geometry.drawRange.count;
      return [0, n - 1].map((i) => window.__studio.project('world', [a.getX(i), a.getY(i), a.getZ(i)])!);
    });
    const [first, last] = await ends();
    const near = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(a.x - b.x, a.y - b.y);
    expect(near(last, await project(page, 'rocker-arm', chosen[0].point))).toBeLessThan(1);
    await command_(page, 'seek', { frame: 0 });
    await until(page, () => window.__studio.counts().trail === 1, undefined, 'one point');
    expect(near(first, await project(page, 'rocker-arm', chosen[0].point))).toBeLessThan(1);
    expect(near(first, last)).toBeGreaterThan(5);
    // A second one of the same solid, and the same again ends the first.
    const other = await project(page, 'rocker-arm', [0.12, 0, 0]);
    await page.mouse.move(other.x, other.y, { steps: 2 });
    await page.keyboard.press('Shift+T');
    await until(page, () => window.__studio.state().trails.length === 2);
    const again = await project(page, 'rocker-arm', chosen[0].point);
    await page.mouse.move(again.x, again.y, { steps: 2 });
    await page.keyboard.press('Shift+T');
    await until(page, () => window.__studio.state().trails.length === 1);
    await page.evaluate(() => window.__studio.studio.store.set({ showJoints: true, trails: [] }));
  });

  it('always says time, pace, solver, worst gap and state', async () => {
    const { page } = studio;
    for (const cell of ['state', 'time', 'rtf', 'solver', 'gap', 'cost']) expect(await page.locator(`studio-status [data-cell=${cell}]`).isVisible()).toBe(true);
    expect(await page.textContent('studio-status [data-cell=solver]')).toContain('displacement');
  });

  it('shows all keys on ?', async () => {
    const { page } = studio;
    await page.keyboard.press('?');
    await until(page, () => document.querySelectorAll('.key-row').length > 25);
    await page.keyboard.press('Escape');
    await until(page, () => document.querySelectorAll('.key-row').length === 0);
  });

  it('draws a thousand solids with as many calls as ten', async () => {
    const { page } = studio;
    const calls = async (links: number) => {
      await command_(page, 'open', { name: 'many.arm', text: `simulation solver procedural; end repeat i from 1 to ${links} object b[i] capsule radius 0.02 length 0.1; at i*0.05 1 0; end end` });
      await until(page, (n) => window.__studio.counts().bodies === n + 1 && window.__studio.state().frame?.revision === window.__studio.state().scene!.revision, links);
      await page.evaluate(() => window.__studio.studio.view!.draw());
      return page.evaluate(() => window.__studio.counts().drawCalls);
    };
    const few = await calls(10);
    expect(await calls(1000)).toBe(few);
  });
});
