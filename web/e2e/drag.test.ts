// Dragging with a real mouse: pull, turn, pin.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Line } from 'three';
import { command_, like, look, open, openStudio, openText, patch, pose, project, settled, stopped, until, type Studio } from './harness';

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio('chain.arm', { width: 1000, height: 620 });
  await studio.page.evaluate(() => window.__studio.studio.store.set({ plotsOpen: false, showJoints: false }));
  await settled(studio.page);
});
afterAll(() => studio?.close());

describe('dragging', () => {
  it('moves the end of the chain to the mouse', async () => {
    const { page, errors } = studio;
    const from = await project(page, 'link[20]');
    await page.keyboard.down('Control');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await command_(page, 'play');
    const to = { x: from.x - 90, y: from.y - 40 };
    for (let i = 1; i <= 12; i++) {
      await page.mouse.move(from.x + ((to.x - from.x) * i) / 12, from.y + ((to.y - from.y) * i) / 12);
      await page.waitForTimeout(30);
    }
    await until(page, () => (window.__studio.state().status?.drags ?? []).some((d) => d.solid === 'link[20]'), undefined, 'link[20] is held');
    await until(page, (t) => { const p = window.__studio.project('link[20]')!; return Math.hypot(p.x - t.x, p.y - t.y) < 14; }, to, 'the end at the mouse');
    await page.mouse.up();
    await page.keyboard.up('Control');
    const latency = await page.evaluate(() => window.__studio.latency());
    expect(latency.length).toBeGreaterThan(3);
    await until(page, () => (window.__studio.state().status?.drags ?? []).length === 0, undefined, 'the drag is released');
    expect(errors).toEqual([]);
  });

  it('does not turn the camera while pulling, and does without Ctrl', async () => {
    const { page } = studio;
    await command_(page, 'pause');
    const camera = () => page.evaluate(() => window.__studio.studio.view!.camera.position.toArray());
    const before = await camera();
    const box = (await page.locator('studio-view canvas').boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height - 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height - 40, { steps: 4 });
    await page.mouse.up();
    expect(await camera()).not.toEqual(before);
  });

  it('pins a point with Shift-click and takes the pin away with a second one', async () => {
    const { page } = studio;
    await command_(page, 'reset');
    await until(page, () => window.__studio.frame()?.frame === 0, undefined, 'the beginning');
    const at = await project(page, 'link[10]');
    await page.keyboard.down('Shift');
    await page.mouse.click(at.x, at.y);
    await page.keyboard.up('Shift');
    await until(page, () => (window.__studio.state().status?.drags ?? []).some((d) => d.pin && d.solid === 'link[10]'), undefined, 'a pin');
    const before = await pose(page, 'link[10]');
    await command_(page, 'play');
    await until(page, () => window.__studio.frame()!.time > 0.6, undefined, 'time to fall');
    await command_(page, 'pause');
    await stopped(page);
    const after = await pose(page, 'link[10]');
    expect(Math.hypot(after[0] - before[0], after[1] - before[1], after[2] - before[2])).toBeLessThan(0.06);
    const end = await pose(page, 'link[20]');
    expect(end[1]).toBeLessThan(2.4);  // the free end has fallen
    const again = await project(page, 'link[10]', await page.evaluate(() => window.__studio.state().status!.drags![0].point));
    await page.keyboard.down('Shift');
    await page.mouse.click(again.x, again.y);
    await page.keyboard.up('Shift');
    await until(page, () => (window.__studio.state().status?.drags ?? []).length === 0, undefined, 'no pin');
  });

  it('turns a solid with Ctrl and the right button, by as much as the mouse went', async () => {
    const { page } = studio;
    // Nothing else could turn it: no weight, no push.
    await openText(page, 'still.arm', 'simulation gravity 0 0 0; end\nobject brick box size 0.4 0.3 0.2; at 0 1 0; end\n');
    await look(page, [0, 1, 3], [0, 1, 0]);
    const at = await project(page, 'brick');
    await page.keyboard.down('Control');
    await page.mouse.move(at.x, at.y);
    await page.mouse.down({ button: 'right' });
    await command_(page, 'play');
    await page.mouse.move(at.x + 120, at.y, { steps: 8 });
    // 120 pixels are 1.2 rad, about the upward axis of the camera, which is y here.
    await until(page, () => { const p = window.__studio.pose('brick')!; return Math.abs(2 * Math.atan2(p[4], p[6]) - 1.2) < 0.05; }, undefined, 'turned by 1.2 rad');
    const p = await pose(page, 'brick');
    // It turns about the point that was taken, on its front side.
    const t = 2 * Math.atan2(p[4], p[6]);
    expect(Math.hypot(p[0] + 0.1 * Math.sin(t), p[1] - 1, p[2] + 0.1 * Math.cos(t) - 0.1)).toBeLessThan(0.01);
    await page.mouse.up({ button: 'right' });
    await page.keyboard.up('Control');
    await command_(page, 'pause');
  });

  it('shows a spring from the point to a mouse that is too far away', async () => {
    const { page } = studio;
    await open(page, 'chain');
    const from = await project(page, 'link[20]');
    await page.keyboard.down('Control');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await command_(page, 'play');
    // Two metres of chain cannot follow that far.
    const to = { x: from.x + 120, y: from.y - 60 };
    await page.mouse.move(to.x, to.y, { steps: 6 });
    // The chain still swings when the mouse has stopped, and the picture is read after the places.
    await vi.waitFor(async () => {
      const ends = await page.evaluate(() => {
        const { spring } = window.__studio.studio.view!.marks as unknown as { spring: Line };
        const a = spring.geometry.attributes.position, n = spring.geometry.drawRange.count;
        const at = (i: number) => window.__studio.project('world', [a.getX(i), a.getY(i), a.getZ(i)])!;
        return { n, from: at(0), to: at(Math.max(0, n - 1)), solid: window.__studio.project('link[20]')! };
      });
      expect(ends.n).toBeGreaterThan(20);
      expect(Math.hypot(ends.to.x - to.x, ends.to.y - to.y)).toBeLessThan(3);
      expect(Math.hypot(ends.from.x - ends.solid.x, ends.from.y - ends.solid.y)).toBeLessThan(12);
      const middle = { x: (ends.from.x + ends.to.x) / 2, y: (ends.from.y + ends.to.y) / 2 };
      expect(like(await patch(page, middle.x, middle.y, 8), (r, _g, b) => r > 150 && r > b + 50)).toBeGreaterThan(3);
    }, 10_000);
    await page.mouse.up();
    await page.keyboard.up('Control');
    await until(page, () => (window.__studio.studio.view!.marks as unknown as { spring: Line }).spring.geometry.drawRange.count === 0, undefined, 'no spring');
    await command_(page, 'pause');
  });

  it('moves a scene that stands still: the joints hold, no time passes, and undo takes it back', async () => {
    const { page } = studio;
    await open(page, 'chain');
    const before = await pose(page, 'link[20]');
    const undoable = await page.evaluate(() => window.__studio.state().scene!.canUndo);
    expect(undoable).toBe(false);
    const from = await project(page, 'link[20]');
    const to = { x: from.x - 110, y: from.y - 50 };
    await page.keyboard.down('Control');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    for (let i = 1; i <= 12; i++) {
      await page.mouse.move(from.x + ((to.x - from.x) * i) / 12, from.y + ((to.y - from.y) * i) / 12);
      await page.waitForTimeout(30);
    }
    await until(page, (t) => { const p = window.__studio.project('link[20]')!; return Math.hypot(p.x - t.x, p.y - t.y) < 10; }, to, 'the end at the mouse');
    await page.mouse.up();
    await page.keyboard.up('Control');
    const state = await page.evaluate(() => ({ frame: window.__studio.frame()!, playing: window.__studio.state().status!.playing }));
    expect(state.frame).toMatchObject({ frame: 0, time: 0 });
    expect(state.playing).toBe(false);
    expect(state.frame.gap).toBeLessThan(2e-3);
    await until(page, () => window.__studio.state().scene!.canUndo, undefined, 'there is something to undo');
    await page.keyboard.press('Control+z');
    await until(page, (b) => { const p = window.__studio.pose('link[20]')!; return Math.hypot(p[0] - b[0], p[1] - b[1], p[2] - b[2]) < 1e-5; }, before, 'it is back');
    // A Ctrl-click takes hold and lets go: it selects, and moves nothing.
    await page.keyboard.down('Control');
    await page.mouse.click(from.x, from.y);
    await page.keyboard.up('Control');
    await page.waitForTimeout(200);
    expect(await pose(page, 'link[20]')).toEqual(before);
  });

  it('follows a mouse between two pictures, and measures from the moment it moved', async () => {
    const { page } = studio;
    await openText(page, 'quick.arm', 'simulation gravity 0 0 0; end\nobject brick box size 0.4 0.3 0.2; at 0 1 0; end\n');
    await look(page, [0, 1, 3], [0, 1, 0]);
    const at = await project(page, 'brick');
    await page.keyboard.down('Control');
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await until(page, () => (window.__studio.state().status?.drags ?? []).length === 1, undefined, 'held');
    // What a slow picture holds back: the event that comes before its turn, and no move after it.
    const n = await page.evaluate((p) => {
      const before = window.__studio.latency().length;
      window.__studio.studio.view!.canvas.dispatchEvent(new PointerEvent('pointerrawupdate', { clientX: p.x + 60, clientY: p.y, pointerType: 'mouse', bubbles: true }));
      return before;
    }, at);
    await until(page, (t) => Math.abs(window.__studio.project('brick', window.__studio.state().status!.drags![0].point)!.x - t) < 4, at.x + 60, 'the held point is there');
    const sample = await page.evaluate((k) => window.__studio.latency()[k], n);
    expect(sample.totalMs).toBeGreaterThan(sample.serverMs);
    expect(sample.totalMs).toBeLessThan(5000);
    await page.mouse.up();
    await page.keyboard.up('Control');
  });

  it('keeps what was dragged as text, which replays it', async () => {
    const { page } = studio;
    await openText(page, 'pulled.arm', 'simulation gravity 0 0 0; end\nobject brick box size 0.4 0.3 0.2; at 0 1 0; end\n');
    await look(page, [0, 1, 3], [0, 1, 0]);
    const at = await project(page, 'brick');
    await page.keyboard.down('Control');
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await command_(page, 'play');
    await page.mouse.move(at.x + 60, at.y, { steps: 8 });
    await until(page, () => window.__studio.pose('brick')![0] > 0.1, undefined, 'pulled');
    await page.mouse.up();
    await page.keyboard.up('Control');
    await command_(page, 'pause');
    await stopped(page);
    const done = await page.evaluate(() => ({ frame: window.__studio.frame()!.frame, pose: window.__studio.pose('brick')! }));
    await page.click('[data-do=file]');
    await page.click('.sheet button:has-text("Keep what was dragged")');
    await until(page, () => /drag \S+ object brick|drag \S+\s+object brick/.test(window.__studio.state().scene!.text), undefined, 'a drag block');
    await command_(page, 'reset');
    await command_(page, 'step', { frames: done.frame });
    await until(page, (f) => window.__studio.frame()?.frame === f, done.frame);
    expect(await pose(page, 'brick')).toEqual(done.pose);
  });
});
