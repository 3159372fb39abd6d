// Building: add, move, turn, scale, duplicate, delete, copy and paste, joints from two points.
import type { InstancedMesh, Line } from 'three';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { command_, drawn, openStudio, openText, project, settled, text, until, type Studio } from './harness';

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio('pendulum.arm', { width: 1100, height: 640 });
  await studio.page.evaluate(() => window.__studio.studio.store.set({ plotsOpen: false }));
  await settled(studio.page);
});
afterAll(() => studio?.close());

const START = `title "Two boxes";  // and a comment that stays
simulation gravity 0 0 0; end

object one   // the left one
  box size 0.4 0.4 0.4;
  at -0.5 1 0;
end

object two
  box size 0.4 0.4 0.4;
  at 0.5 1 0;
end
`;

beforeEach(async () => {
  const { page } = studio;
  await page.evaluate(() => window.__studio.studio.store.set({ selection: [], tool: 'select', jointPicks: [], snap: true, loose: false, toasts: [], showJoints: false }));
  const old = await page.evaluate(() => window.__studio.state().scene!.revision);
  await command_(page, 'open', { name: 'boxes.arm', text: START });
  await until(page, (r) => { const s = window.__studio.state(); return s.scene!.revision !== r && s.frame?.revision === s.scene!.revision; }, old);
  await page.evaluate(() => { const v = window.__studio.studio.view!; v.camera.position.set(0.4, 1.8, 4); v.controls.target.set(0, 1, 0); v.controls.update(); });
  await page.locator('studio-view canvas').focus();
  await settled(page);
});

const bodies = () => studio.page.evaluate(() => window.__studio.state().scene!.bodies.map((b) => b.name));
const has = (n: number) => until(studio.page, (k) => window.__studio.counts().bodies === k, n, `${n} bodies`);

/** Takes the handle of the gizmo that stands `dx` world units along x of a solid, and drags it. */
async function dragHandle(solid: string, along: [number, number, number], by: { x: number; y: number }, held: () => Promise<void> = async () => undefined): Promise<void> {
  const { page } = studio;
  const at = await project(page, solid, along);
  await page.mouse.move(at.x, at.y, { steps: 2 });
  await until(page, () => {
    const gizmo = window.__studio.studio.view!.world.children.map((o) => (o as unknown as { controls?: { axis: string | null } }).controls).find((o) => o);
    return gizmo !== undefined && gizmo.axis !== null;
  }, undefined, 'the mouse is over a handle');
  await page.mouse.down();
  await page.mouse.move(at.x + by.x, at.y + by.y, { steps: 8 });
  await held();
  await page.mouse.up();
}

describe('building', () => {
  it('adds a solid from the menu, selects it, and undo takes it away', async () => {
    const { page } = studio;
    await page.click('[data-do=add]');
    await page.click('[data-add=capsule]');
    await has(4);
    expect(await bodies()).toContain('capsule');
    await until(page, () => window.__studio.state().selection[0] === 'capsule');
    const t = await text(page);
    expect(t.startsWith(START.trimEnd())).toBe(true);
    // Its lines are to be seen in the text.
    await until(page, () => document.querySelector('.cm-activeLine')?.textContent === 'object capsule', undefined, 'its first line');
    await command_(page, 'undo');
    await has(3);
    expect(await text(page)).toBe(START);
  });

  it('moves with the gizmo (W): only the line of its place changes, comments stay', async () => {
    const { page } = studio;
    await page.evaluate(() => window.__studio.studio.actions.select('two'));
    await page.keyboard.press('w');
    await drawn(page);
    await dragHandle('two', [0.35, 0, 0], { x: 70, y: 0 });
    await until(page, () => !window.__studio.state().scene!.text.includes('at 0.5 1 0;') || window.__studio.state().scene!.text.includes('pose two'), undefined, 'it is elsewhere');
    const after = await text(page);
    const lines = after.split('\n');
    const kept = START.split('\n').filter((l) => lines.includes(l));
    expect(kept.length).toBeGreaterThanOrEqual(START.split('\n').length - 1);
    expect(after).toContain('// and a comment that stays');
    const x = await page.evaluate(() => window.__studio.pose('two')!);
    expect(x[0]).toBeGreaterThan(0.6);
    expect(x[1]).toBeCloseTo(1, 6);
    expect(Math.abs(x[0] / 0.02 - Math.round(x[0] / 0.02))).toBeLessThan(1e-3);  // snapped
  });

  it('turns (E) and scales (R)', async () => {
    const { page } = studio;
    await page.evaluate(() => window.__studio.studio.actions.select('two'));
    await page.keyboard.press('r');
    await drawn(page);
    const widths: number[] = [];
    await dragHandle('two', [0.35, 0, 0], { x: 60, y: 0 }, async () => {
      widths.push(await page.evaluate(() => {
        const boxes = (window.__studio.studio.view as unknown as { solids: { group: { children: InstancedMesh[] } } }).solids.group.children.flatMap((m) => Array.from({ length: m.count }, (_, i) => m.instanceMatrix.array[16 * i]));
        return Math.max(...boxes);
      }));
    });
    await until(page, () => !/object two\n {2}box size 0.4 0.4 0.4;/.test(window.__studio.state().scene!.text), undefined, 'another size');
    expect(widths.some((w) => w > 0.41)).toBe(true);  // and it was seen to grow before the mouse let go
    expect(await text(page)).toMatch(/object two\n {2}box size 0\.\d+ 0.4 0.4;/);
    await page.keyboard.press('e');
    expect(await page.evaluate(() => window.__studio.state().tool)).toBe('turn');
    await page.keyboard.press('l');
    expect(await page.evaluate(() => window.__studio.state().space)).toBe('local');
    await page.keyboard.press('l');
    // The ring about z lies in the plane of the picture; its radius is what the gizmo has on the screen.
    await drawn(page);
    const before = await page.evaluate(() => window.__studio.pose('two')!);
    const at = await project(page, 'two');
    const ring = await page.evaluate(() => {
      const c = window.__studio.studio.view!;
      for (let r = 20; r < 160; r += 2) {
        const p = window.__studio.project('two')!;
        c.canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: p.x + r * 0.707, clientY: p.y + r * 0.707, pointerType: 'mouse', bubbles: true }));
        const gizmo = (c.world.children.map((o) => (o as unknown as { controls?: { axis: string | null } }).controls).find((o) => o) ?? null) as { axis: string | null } | null;
        if (gizmo?.axis === 'Z') return r;
      }
      return 0;
    });
    expect(ring).toBeGreaterThan(0);
    await page.mouse.move(at.x + ring * 0.707, at.y + ring * 0.707);
    await page.mouse.down();
    await page.mouse.move(at.x + ring, at.y, { steps: 6 });
    await page.mouse.up();
    await until(page, (q) => Math.abs(window.__studio.pose('two')![5] - q) > 0.05, before[5], 'it is turned');
  });

  it('moves along the axes of the solid (L), and freely without snapping (N)', async () => {
    const { page } = studio;
    // A quarter turn about z: its own x points upward.
    await command_(page, 'place', { placements: { two: [0.5, 1, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2] }, permanent: true });
    await until(page, () => window.__studio.pose('two')![5] > 0.7, undefined, 'turned');
    await page.evaluate(() => window.__studio.studio.actions.select('two'));
    await page.locator('studio-view canvas').focus();
    await page.keyboard.press('w');
    await page.keyboard.press('l');
    await page.keyboard.press('n');
    await drawn(page);
    // Its height as often as can be looked at.
    await page.evaluate(() => {
      const seen: number[] = [];
      Object.assign(window, { heights: seen });
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        seen.push(window.__studio.pose('two')![1]);
        if ((window as unknown as { heights?: number[] }).heights === seen) channel.port2.postMessage(0);
      };
      channel.port2.postMessage(0);
    });
    await dragHandle('two', [0.35, 0, 0], { x: 0, y: -63 });
    await until(page, () => window.__studio.pose('two')![1] > 1.1, undefined, 'it is higher');
    await until(page, () => !window.__studio.state().scene!.text.includes('at 0.5 1 0;'), undefined, 'the text has it');
    await page.waitForTimeout(200);
    const heights = await page.evaluate(() => {
      const w = window as unknown as { heights?: number[] };
      const seen = w.heights!;
      delete w.heights;
      return seen;
    });
    const there = heights.findIndex((y) => y > 1.1);
    expect(heights.slice(there).filter((y) => y < 1.1), 'it never goes back on the way').toEqual([]);
    const [x, y] = await page.evaluate(() => window.__studio.pose('two')!);
    expect(x).toBeCloseTo(0.5, 5);
    expect(Math.abs(y / 0.02 - Math.round(y / 0.02))).toBeGreaterThan(1e-3);  // no step of the snapping
    await page.keyboard.press('l');
    await page.keyboard.press('n');
  });

  it('duplicates, copies, pastes and deletes', async () => {
    const { page } = studio;
    await page.evaluate(() => window.__studio.studio.actions.select('one'));
    await page.keyboard.press('Control+d');
    await has(4);
    await page.evaluate(() => window.__studio.studio.actions.select('two'));
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await has(5);
    await page.evaluate(() => window.__studio.studio.actions.select('one'));
    await page.keyboard.press('Delete');
    await has(4);
    expect(await bodies()).not.toContain('one');
    for (let i = 0; i < 3; i++) await page.keyboard.press('Control+z');
    await until(page, (t) => window.__studio.state().scene!.text === t, START, 'the first text');
  });

  it('pastes into another scene what was copied here, joints and all, beside what has the same name', async () => {
    const { page } = studio;
    await command_(page, 'add', { block: 'joint hold\n  type ball;\n  object1 one;\n  object2 two;\n  at 0.5 0 0  -0.5 0 0;\nend\n' });
    await page.evaluate(() => window.__studio.studio.store.set({ selection: ['one', 'two'] }));
    await page.keyboard.press('Control+c');
    await until(page, () => [...document.querySelectorAll('.toast')].some((t) => t.textContent!.includes('Copied 2 things')), undefined, 'copied');
    const other = 'title "Elsewhere";\nsimulation gravity 0 0 0; end\nobject two sphere radius 0.1; at 0 3 0; end\n';
    await openText(page, 'elsewhere.arm', other);
    await page.locator('studio-view canvas').focus();
    await page.keyboard.press('Control+v');
    await has(4);
    expect(await bodies()).toEqual(['world', 'two', 'one', 'two2']);
    expect(await text(page)).toMatch(/^title "Elsewhere";[^]*joint hold\n {2}type ball;\n {2}object1 one;\n {2}object2 two2;/);
    expect(await page.evaluate(() => ({ joints: window.__studio.counts().joints, problems: window.__studio.state().scene!.problems.length }))).toEqual({ joints: 1, problems: 0 });
    await page.keyboard.press('Control+z');
    await until(page, (t) => window.__studio.state().scene!.text === t, other, 'one step of undo');
  });

  it('makes a joint from two picked points, after showing what it leaves free', async () => {
    const { page } = studio;
    await page.keyboard.press('j');
    const a = await project(page, 'one', [0.05, 0.05, 0.2]);
    await page.mouse.click(a.x, a.y);
    await until(page, () => window.__studio.state().jointPicks.length === 1);
    const b = await project(page, 'two', [-0.05, 0.05, 0.2]);
    await page.mouse.click(b.x, b.y);
    await until(page, () => document.querySelector('.maker') !== null);
    await page.selectOption('[data-do=joint-type]', 'cylindrical');
    expect(await page.textContent('.freedoms')).toMatch(/turn.*slide/s);
    // The first solid shows it.
    await until(page, () => window.__studio.studio.view!.overrides.size === 1);
    await page.selectOption('[data-do=joint-type]', 'pin');
    // A pin about z: the solid turns, and neither the picked point nor the axis moves.
    const shown = () => page.evaluate(() => { const p = window.__studio.pose('one')!; const at = window.__studio.state().jointPicks[0].point; const [, , , x, y, z, w] = p;
      const t = [2 * (y * at[2] - z * at[1]), 2 * (z * at[0] - x * at[2]), 2 * (x * at[1] - y * at[0])];
      return { turn: 2 * Math.atan2(z, w), off: Math.hypot(x, y), point: [p[0] + at[0] + w * t[0] + y * t[2] - z * t[1], p[1] + at[1] + w * t[1] + z * t[0] - x * t[2], p[2] + at[2] + w * t[2] + x * t[1] - y * t[0]], world: window.__studio.state().jointPicks[0].world }; });
    const turns: number[] = [];
    // More than half a swing; where pictures are slow there may be more to look at.
    const end = Date.now() + 5000;
    for (let i = 0; i < 8 || (Math.max(...turns) - Math.min(...turns) <= 0.2 && Date.now() < end); i++) {
      const s = await shown();
      turns.push(s.turn);
      expect(s.off).toBeLessThan(1e-5);
      s.point.forEach((c, k) => expect(c).toBeCloseTo(s.world[k], 4));
      await page.waitForTimeout(90);
    }
    expect(Math.max(...turns) - Math.min(...turns)).toBeGreaterThan(0.2);
    // About the line that is drawn: through the point, along z.
    const axis = await page.evaluate(() => { const { axis: line } = window.__studio.studio.view!.marks as unknown as { axis: Line }; const a = line.geometry.attributes.position; return { n: line.geometry.drawRange.count, ends: [0, 1].map((i) => [a.getX(i), a.getY(i), a.getZ(i)]), point: window.__studio.state().jointPicks[0].world }; });
    expect(axis.n).toBe(2);
    for (const end of axis.ends) [0, 1].forEach((k) => expect(end[k]).toBeCloseTo(axis.point[k], 4));
    expect(axis.ends[1][2] - axis.ends[0][2]).toBeGreaterThan(0.3);
    await page.click('[data-do=make-joint]');
    await until(page, () => window.__studio.counts().joints === 1, undefined, 'a joint');
    expect(await text(page)).toMatch(/joint pin-joint\n {2}type pin;\n {2}object1 one;\n {2}object2 two;/);
    expect(await page.evaluate(() => window.__studio.state().scene!.problems.length)).toBe(0);
    // The two points were 0.9 m apart: the parts have come together.
    await until(page, () => window.__studio.state().frame?.revision === window.__studio.state().scene!.revision && window.__studio.frame()!.gap < 1e-3, undefined, 'together');
  });

  it('begins from nothing: a new scene, two solids beside each other, and play', async () => {
    const { page } = studio;
    page.once('dialog', (d) => void d.accept());
    await page.click('[data-do=file]');
    await page.click('.sheet button:has-text("New scene")');
    await until(page, () => document.querySelector('[data-notice=empty]') !== null, undefined, 'how to begin');
    await page.locator('studio-view canvas').focus();
    for (const kind of ['box', 'sphere']) {
      const n = (await bodies()).length;
      await page.keyboard.press('a');
      await page.click(`[data-add=${kind}]`);
      await has(n + 1);
      await page.locator('studio-view canvas').focus();
    }
    const [box, sphere] = await page.evaluate(() => [window.__studio.pose('box')!, window.__studio.pose('sphere')!]);
    expect(Math.hypot(box[0] - sphere[0], box[1] - sphere[1], box[2] - sphere[2])).toBeGreaterThan(0.15);
    await page.keyboard.press('Space');
    await until(page, () => window.__studio.frame()!.frame > 60, undefined, 'a second has passed');
    await page.keyboard.press('Space');
    // They lie on the floor, not below it, and are in the picture.
    const low = await page.evaluate(() => ['box', 'sphere'].map((b) => window.__studio.pose(b)![1]));
    for (const y of low) expect(y).toBeGreaterThan(0.02);
    for (const y of low) expect(y).toBeLessThan(box[1]);
  });

  it('pulls parts loose without touching the text', async () => {
    const { page } = studio;
    await page.evaluate(() => { window.__studio.studio.store.set({ loose: true }); window.__studio.studio.actions.select('two'); });
    await page.keyboard.press('w');
    await drawn(page);
    await dragHandle('two', [0.35, 0, 0], { x: 60, y: 0 });
    await until(page, () => window.__studio.pose('two')![0] > 0.6, undefined, 'it is elsewhere');
    expect(await text(page)).toBe(START);
  });
});
