// Dragging with a real mouse: pull, turn, pin.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command_, openStudio, pose, project, settled, until, type Studio } from './harness';

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
    await page.waitForTimeout(200);
    const at = await project(page, 'link[10]');
    await page.keyboard.down('Shift');
    await page.mouse.click(at.x, at.y);
    await page.keyboard.up('Shift');
    await until(page, () => (window.__studio.state().status?.drags ?? []).some((d) => d.pin && d.solid === 'link[10]'), undefined, 'a pin');
    const before = await pose(page, 'link[10]');
    await command_(page, 'play');
    await page.waitForTimeout(700);
    await command_(page, 'pause');
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

  it('turns a solid with Ctrl and the right button', async () => {
    const { page } = studio;
    await command_(page, 'open', { scene: 'tumbling' });
    await until(page, () => window.__studio.state().scene?.name === 'tumbling' && window.__studio.state().frame?.revision === window.__studio.state().scene?.revision);
    const name = await page.evaluate(() => window.__studio.state().scene!.bodies.find((b) => b.kind === 'dynamic')!.name);
    const at = await project(page, name);
    const before = await pose(page, name);
    await page.keyboard.down('Control');
    await page.mouse.move(at.x, at.y);
    await page.mouse.down({ button: 'right' });
    await command_(page, 'play');
    await page.mouse.move(at.x + 120, at.y, { steps: 8 });
    await page.waitForTimeout(400);
    await page.mouse.up({ button: 'right' });
    await page.keyboard.up('Control');
    await command_(page, 'pause');
    const after = await pose(page, name);
    const turned = Math.abs(before.slice(3).reduce((s, x, i) => s + x * after[3 + i], 0));
    expect(turned).toBeLessThan(0.995);
  });

  it('keeps what was dragged as text', async () => {
    const { page } = studio;
    const reply = await command_(page, 'drags');
    expect(reply.ok).toBe(true);
    expect(String(reply.text)).toContain('drag');
  });

});
