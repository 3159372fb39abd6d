// Every scene of the gallery comes up without a complaint, with everything it has in view.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command_, openStudio, until, type Studio } from './harness';

let studio: Studio;
beforeAll(async () => { studio = await openStudio('chain.arm', { width: 760, height: 460 }); });
afterAll(() => studio?.close());

describe('gallery', () => {
  it('opens from the toolbar, shows a card per scene and loads one by a click', async () => {
    const { page } = studio;
    await page.evaluate(() => window.__studio.studio.store.set({ plotsOpen: false }));
    await page.click('[data-do=gallery]');
    const cards = await page.locator('.card-scene').count();
    expect(cards).toBeGreaterThan(50);
    await page.click('[data-scene=pendulum]');
    await until(page, () => window.__studio.state().scene?.name === 'pendulum' && window.__studio.state().gallery === false);
  });

  it('loads every scene without a console error, its objects in view', async () => {
    const { page, errors } = studio;
    const names = await page.evaluate(() => window.__studio.state().hello!.gallery.map((g) => g.name));
    const wrong: string[] = [];
    for (const name of names) {
      const started = Date.now();
      const before = errors.length;
      const old = await page.evaluate(() => window.__studio.state().scene!.revision);
      const reply = await command_(page, 'open', { scene: name });
      if (!reply.ok) { wrong.push(`${name}: ${JSON.stringify(reply.errors)}`); continue; }
      await until(page, (r) => { const s = window.__studio.state(); return s.scene!.revision !== r && s.frame?.revision === s.scene!.revision; }, old, name);
      const seen = await page.evaluate(async () => {
        const n = window.__studio.counts().pictures;
        window.__studio.studio.view!.redraw();
        const end = Date.now() + 4000;
        while (window.__studio.counts().pictures === n && Date.now() < end) await new Promise((r) => setTimeout(r, 10));
        const { scene } = window.__studio.state();
        const box = document.querySelector('studio-view canvas')!.getBoundingClientRect();
        const solids = scene!.bodies.slice(1).filter((b) => b.kind !== 'tracker' && !b.shapes.some((s) => s.kind === 'plane'));
        const inView = solids.filter((b) => {
          const p = window.__studio.project(b.name)!;
          return p.z < 1 && p.x > box.left && p.x < box.right && p.y > box.top && p.y < box.bottom;
        }).length;
        // The same picture without its solids: what differs is them.
        const view = window.__studio.studio.view!;
        const layer = (view as unknown as { solids: { group: { visible: boolean } } }).solids.group;
        const pixels = () => {
          view.draw();
          const copy = document.createElement('canvas');
          copy.width = view.canvas.width;
          copy.height = view.canvas.height;
          const c = copy.getContext('2d', { willReadFrequently: true })!;
          c.drawImage(view.canvas, 0, 0);
          return c.getImageData(0, 0, copy.width, copy.height).data;
        };
        view.glyphs.group.visible = false;
        const whole = pixels();
        layer.visible = false;
        const bare = pixels();
        layer.visible = view.glyphs.group.visible = true;
        const { width } = view.canvas, scale = width / view.canvas.clientWidth;
        const changed = (x: number, y: number) => { const i = 4 * (y * width + x); return Math.abs(whole[i] - bare[i]) + Math.abs(whole[i + 1] - bare[i + 1]) + Math.abs(whole[i + 2] - bare[i + 2]) > 12; };
        const drawn = solids.filter((b) => {
          // Anywhere near the middle of its first shape: its frame may be at its end.
          const p = window.__studio.project(b.name, (b.shapes[0]?.pose?.slice(0, 3) ?? [0, 0, 0]) as [number, number, number])!;
          const cx = Math.round((p.x - box.left) * scale), cy = Math.round((p.y - box.top) * scale);
          for (let y = cy - 3; y <= cy + 3; y++) for (let x = cx - 3; x <= cx + 3; x++) if (x >= 0 && x < width && y >= 0 && changed(x, y)) return true;
          return false;
        }).length;
        return { inView, drawn, solids: solids.length, problems: scene!.problems.filter((p) => p.severity === 'error').length, ...window.__studio.counts() };
      });
      if (seen.solids > 0 && seen.inView < Math.min(seen.solids, Math.ceil(0.9 * seen.solids))) wrong.push(`${name}: ${seen.inView} of ${seen.solids} solids in view`);
      // Nearly all: a hollow mesh has nothing in its middle.
      if (seen.drawn < Math.ceil(0.85 * seen.solids)) wrong.push(`${name}: ${seen.drawn} of ${seen.solids} solids in the picture`);
      if (seen.parts < seen.solids) wrong.push(`${name}: ${seen.parts} parts for ${seen.solids} solids`);
      if (seen.drawCalls > 40) wrong.push(`${name}: ${seen.drawCalls} draw calls`);
      if (seen.problems) wrong.push(`${name}: ${seen.problems} errors in its text`);
      if (process.env.E2E_TIMES) console.log(name, Date.now() - started);
      if (errors.length > before) wrong.push(`${name}: ${errors.slice(before).join('; ')}`);
    }
    expect(wrong).toEqual([]);
    expect(names.length).toBeGreaterThan(50);
  });
});
