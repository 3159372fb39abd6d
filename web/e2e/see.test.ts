// Seeing: what is really in the picture. Colours are read from the canvas, places from the objects that three draws.
import type { InstancedMesh, LineSegments } from 'three';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { command_, like, look, open, openStudio, openText, patch, project, settled, until, wheel, type Patch, type Studio } from './harness';

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio('four_bar.arm', { width: 900, height: 560 });
  await studio.page.evaluate(() => { window.__studio.studio.store.set({ plotsOpen: false }); window.__studio.studio.view!.keeper.held = true; });
  await settled(studio.page);
});
afterAll(() => studio?.close());

const light = (p: Patch, x: number, y: number) => { const i = 3 * (y * p.width + x); return p.rgb[i] + p.rgb[i + 1] + p.rgb[i + 2]; };
/** How much neighbours differ, to the side and downwards, per pixel. */
function roughness(p: Patch): { across: number; down: number } {
  let across = 0, down = 0;
  for (let y = 0; y + 1 < p.height; y++)
    for (let x = 0; x + 1 < p.width; x++) {
      across += Math.abs(light(p, x + 1, y) - light(p, x, y));
      down += Math.abs(light(p, x, y + 1) - light(p, x, y));
    }
  return { across: across / (p.width * p.height), down: down / (p.width * p.height) };
}

const THREE_KINDS = `simulation gravity 0 0 0; end
path rail
  key 0 0 1 0;
  key 9 0 1 0.01;
end
object stands fixed; box size 0.8 0.8 0.8; at -1.2 1 0; color 0.6 0.6 0.6; end
object rides follow rail; box size 0.8 0.8 0.8; color 0.6 0.6 0.6; end
object flies box size 0.8 0.8 0.8; at 1.2 1 0; color 0.6 0.6 0.6; end
`;
/** The colour of the spring, of pins and of the outline of what is held. */
const amber = (r: number, g: number, b: number) => r > 190 && g > 130 && g < 225 && b < 150 && r - b > 70;

describe('solids', () => {
  it('that are fixed are hatched, those on a path banded, free ones plain', async () => {
    const { page } = studio;
    await openText(page, 'kinds.arm', THREE_KINDS);
    await look(page, [0, 1, 4.5], [0, 1, 0]);
    const face = async (name: string) => { const p = await project(page, name, [0, 0, 0.4]); return roughness(await patch(page, p.x, p.y, 24)); };
    const [stands, rides, flies] = [await face('stands'), await face('rides'), await face('flies')];
    expect(flies.across + flies.down).toBeLessThan(1);
    // Stripes at 45 degrees change as much to the side as downwards; bands only downwards.
    expect(stands.across).toBeGreaterThan(4);
    expect(stands.down).toBeGreaterThan(4);
    expect(rides.down).toBeGreaterThan(4);
    expect(rides.across).toBeLessThan(1);
  });

  it('that are held have an outline in the colour of the spring, which goes when they are let go', async () => {
    const { page } = studio;
    const at = await project(page, 'flies');
    const count = async () => like(await patch(page, at.x, at.y, 90), amber);
    expect(await count()).toBe(0);
    await page.keyboard.down('Control');
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await until(page, () => (window.__studio.state().status?.drags ?? []).length === 1, undefined, 'held');
    expect(await count()).toBeGreaterThan(60);
    await page.mouse.up();
    await page.keyboard.up('Control');
    await until(page, () => (window.__studio.state().status?.drags ?? []).length === 0, undefined, 'let go');
    expect(await count()).toBe(0);
  });

  it('that cannot be pulled say why', async () => {
    const { page } = studio;
    await page.keyboard.down('Control');
    for (const [name, why] of [['stands', 'is fixed'], ['rides', 'follows a path']]) {
      const at = await project(page, name);
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      await page.mouse.move(at.x + 30, at.y, { steps: 3 });
      await page.mouse.up();
      await until(page, (w) => [...document.querySelectorAll('.toast')].some((t) => t.textContent!.includes(w)), `${name} ${why}`, 'the reason');
    }
    await page.keyboard.up('Control');
    expect(await page.evaluate(() => (window.__studio.state().status?.drags ?? []).length)).toBe(0);
  });

  it('that a drag of the text holds have it too', async () => {
    const { page } = studio;
    await open(page, 'dragged_chain');
    const at = await project(page, 'link[1][1]');
    const other = await project(page, 'link[2][10]');
    // Exactly the colour of the outline: the light chain itself is orange too.
    const outline = (r: number, g: number, b: number) => Math.abs(r - 0xff) + Math.abs(g - 0xc6) + Math.abs(b - 0x6b) < 12;
    expect(like(await patch(page, at.x, at.y, 16), outline)).toBeGreaterThan(5);
    expect(like(await patch(page, other.x, other.y, 16), outline)).toBe(0);
  });

  it('stand in the light, with a shadow on a ground with a grid, and up is y', async () => {
    const { page } = studio;
    await openText(page, 'shadow.arm', 'simulation gravity 0 0 0; end\nobject ball sphere radius 0.3; at 0 0.6 0; color 0.8 0.8 0.8; end\n');
    await page.evaluate(() => window.__studio.studio.view!.setDetail(0));
    await look(page, [0, 2.2, 2.6], [0, 0.3, 0]);
    const ball = await project(page, 'ball');
    // The sun stands at (1.6, 3.6, 2) from the middle: above the ball is bright, below it dark.
    const top = await project(page, 'ball', [0.1, 0.24, 0.13]), below = await project(page, 'ball', [-0.1, -0.2, 0.18]);
    const sum = (p: Patch) => p.rgb.reduce((s, x) => s + x, 0) / p.rgb.length;
    expect(sum(await patch(page, top.x, top.y, 3))).toBeGreaterThan(1.3 * sum(await patch(page, below.x, below.y, 3)));
    expect((await project(page, 'ball', [0, 0.1, 0])).y).toBeLessThan(ball.y);
    const ground = await project(page, 'world', [-0.27, 0, -0.33]);  // 0.6 m down along the rays of the sun
    const shaded = sum(await patch(page, ground.x, ground.y, 4));
    await page.click('[data-show=shadows]');
    const bare = sum(await patch(page, ground.x, ground.y, 4));
    await page.click('[data-show=shadows]');
    expect(shaded).toBeLessThan(0.85 * bare);
    // The axis x is the red line of the grid.
    const axis = await project(page, 'world', [0.7, 0, 0]);
    expect(like(await patch(page, axis.x, axis.y, 4), (r, g, b) => r > g + 25 && r > b + 25)).toBeGreaterThan(2);
    await page.evaluate(() => window.__studio.studio.view!.setDetail(3));
  });
});

// Four joints side by side, of small boxes so that nothing is in the way, each with a limit of its own.
const JOINTS = `simulation gravity 0 0 0; end
repeat i from 1 to 4
  object part[i] box size 0.1 0.1 0.1; at i 1.3 0; color 0.5 0.5 0.5; end
end
joint socket type ball; object1 part[1]; at 0 -0.3 0 1 1 0; axis 0 1 0 0 1 0; swing max 40 deg; end
joint hinge type pin; object1 part[2]; at 0 -0.3 0 2 1 0; axis 0 0 1 0 0 1; across 1 0 0 1 0 0; turn min -30 deg max 60 deg; end
joint rail type sliding; object1 part[3]; at 0 -0.3 0 3 1 0; axis 0 1 0 0 1 0; slide min -0.2 max 0.5; end
constraint hoop object1 part[4]; hinge 0 -0.3 0 4 1 0; planar 0 0 1 min 0 max 0.4; end
`;

/** World places of the points that limit lines are made of, near a joint. */
const limitPoints = (x: number) => studio.page.evaluate((joint) => {
  const { lines } = (window.__studio.studio.view as unknown as { limits: { lines: LineSegments } }).limits;
  const a = lines.geometry.attributes.position.array;
  const out: [number, number, number][] = [];
  for (let i = 0; i < a.length; i += 3) if (Math.abs(a[i] - joint) < 0.5) out.push([a[i] - joint, a[i + 1] - 1, a[i + 2]]);
  return lines.visible ? out : [];
}, x);

describe('joints', () => {
  beforeAll(async () => {
    await openText(studio.page, 'joints.arm', JOINTS);
    await studio.page.evaluate(() => window.__studio.studio.view!.setDetail(1));  // full resolution
    await look(studio.page, [2.5, 1.6, 6], [2.5, 1.1, 0]);
  });
  afterAll(() => studio.page.evaluate(() => window.__studio.studio.view!.setDetail(3)));

  it('are drawn as ball, pin, slider and ring, where they are and in their colours', async () => {
    const { page } = studio;
    const glyphs = await page.evaluate(() => (window.__studio.studio.view!.glyphs.group.children as InstancedMesh[]).flatMap((mesh) =>
      Array.from({ length: mesh.count }, (_, i) => ({ shape: mesh.geometry.type, at: Array.from(mesh.instanceMatrix.array.slice(16 * i + 12, 16 * i + 15)) }))));
    const of = (x: number) => glyphs.filter((g) => Math.hypot(g.at[0] - x, g.at[1] - 1, g.at[2]) < 1e-3).map((g) => g.shape).sort();
    expect(of(1)).toEqual(['SphereGeometry']);
    expect(of(2)).toEqual(['CylinderGeometry', 'TorusGeometry']);
    expect(of(3)).toEqual(['BoxGeometry', 'CylinderGeometry']);
    expect(of(4)).toEqual(['SphereGeometry', 'TorusGeometry']);
    const seen = async (x: number, test: (r: number, g: number, b: number) => boolean) => {
      const p = await project(page, 'world', [x, 1, 0]);
      return like(await patch(page, p.x, p.y, 12), test);
    };
    const blue = (r: number, g: number, b: number) => b > r + 60 && b > g + 20;
    const orange = (r: number, g: number, b: number) => r > b + 70 && r > g + 25;
    const teal = (r: number, g: number, b: number) => g > r + 40 && b > r + 20;
    expect(await seen(1, blue)).toBeGreaterThan(10);
    expect(await seen(2, orange)).toBeGreaterThan(10);
    expect(await seen(3, teal)).toBeGreaterThan(10);
    expect(await seen(4, teal)).toBeGreaterThan(5);
    await page.locator('studio-view canvas').focus();
    await page.keyboard.press('g');
    expect(await seen(1, blue) + await seen(3, teal)).toBe(0);
    await page.keyboard.press('g');
  });

  it('show their limits: a cone for a swing, an arc for a turn, a segment for a slide, circles for a distance', async () => {
    const cone = (await limitPoints(1)).filter((p) => Math.hypot(...p) > 1e-4);
    expect(cone.length).toBeGreaterThan(40);
    for (const p of cone) expect(Math.acos(p[1] / Math.hypot(...p))).toBeCloseTo((40 * Math.PI) / 180, 3);
    const arc = (await limitPoints(2)).filter((p) => Math.hypot(...p) > 1e-4);
    const angles = arc.map((p) => (Math.atan2(p[1], p[0]) * 180) / Math.PI);
    expect(Math.min(...angles)).toBeCloseTo(-30, 2);
    expect(Math.max(...angles)).toBeCloseTo(60, 2);
    for (const p of arc) expect(Math.hypot(...p)).toBeCloseTo(Math.hypot(...arc[0]), 4);
    const segment = await limitPoints(3);
    expect(Math.min(...segment.map((p) => p[1]))).toBeCloseTo(-0.2, 4);
    expect(Math.max(...segment.map((p) => p[1]))).toBeCloseTo(0.5, 4);
    const ring = await limitPoints(4);
    expect(ring.length).toBeGreaterThan(40);
    for (const p of ring) expect(Math.hypot(...p)).toBeCloseTo(0.4, 4);
    await studio.page.click('[data-show=limits]');
    expect(await limitPoints(1)).toEqual([]);
    await studio.page.click('[data-show=limits]');
  });

  it('that gape are told: the worst one is red, and a red line spans its gap', async () => {
    const { page } = studio;
    // The part is pulled 0.4 m to the left of its rail.
    await command_(page, 'place', { placements: { 'part[3]': [2.6, 1.3, 0, 0, 0, 0, 1] }, permanent: false });
    await until(page, () => window.__studio.frame()!.gap > 0.3, undefined, 'apart');
    const middle = await project(page, 'world', [2.8, 1, 0]);
    const red = (r: number, g: number, b: number) => r > 170 && g < 110 && b < 110;
    expect(like(await patch(page, middle.x, middle.y, 3), red)).toBeGreaterThan(2);
    const box = await project(page, 'world', [2.6, 1, 0]), ball = await project(page, 'world', [1, 1, 0]);
    // To the left of its middle, where the line is not.
    expect(like(await patch(page, box.x - 5, box.y, 5), (r, g, b) => r > 90 && r > 2 * g && r > 2 * b)).toBeGreaterThan(8);
    expect(like(await patch(page, ball.x, ball.y, 12), red)).toBe(0);
    await until(page, () => document.querySelector('studio-status [data-cell=gap]')!.textContent!.includes('rail'), undefined, 'and the status line says it');
    expect(await page.textContent('studio-status [data-cell=gap]')).toContain('0.400 m');
  });
});

describe('the view says', () => {
  it('that a scene is empty and how to begin, and what is wrong with a text', async () => {
    const { page } = studio;
    await openText(page, 'nothing.arm', 'title "Nothing";\n');
    await until(page, () => document.querySelector('[data-notice=empty]') !== null, undefined, 'how to begin');
    await command_(page, 'open', { name: 'bad.arm', text: 'object a\n  box size 1 1 1;\n  densty 3;\nend\n' });
    await until(page, () => document.querySelector('[data-notice=errors]') !== null, undefined, 'that there is an error');
    await page.click('[data-notice=errors] button');
    await until(page, () => document.querySelector('.cm-activeLine')?.textContent === '  densty 3;', undefined, 'the line');
  });

  it('that the numbers of a simulation have gone, and leads back', async () => {
    const { page, errors } = studio;
    await openText(page, 'burst.arm', 'simulation gravity 0 -1e308 0; end\nobject bomb sphere radius 0.1; at 0 1 0; end\n');
    await command_(page, 'step', { frames: 120 });
    await until(page, () => document.querySelector('[data-notice=failed]')?.textContent?.includes('bomb') === true, undefined, 'what failed');
    expect(await page.locator('studio-status .led.bad').count()).toBe(1);
    await page.click('[data-notice=failed] button');
    await until(page, () => document.querySelector('[data-notice=failed]') === null && window.__studio.frame()!.frame === 0, undefined, 'the beginning');
    expect(await page.evaluate(() => window.__studio.pose('bomb')!.slice(0, 3))).toEqual([0, 1, 0]);
    expect(errors).toEqual([]);
  });

  it('everything at 1024 by 700: no button of the toolbar is cut off, the scene has most of the window', async () => {
    const { page } = studio;
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.evaluate(() => localStorage.removeItem('armature.sizes'));
    await open(page, 'chain');
    await settled(page);
    const out = await page.evaluate(() => [...document.querySelectorAll('studio-toolbar button, studio-toolbar select, studio-view .strip button, studio-status .cell')]
      .filter((e) => { const b = e.getBoundingClientRect(); return b.width < 18 || b.left < 0 || b.right > innerWidth || b.bottom > innerHeight; }).map((e) => e.outerHTML.slice(0, 80)));
    expect(out).toEqual([]);
    await page.setViewportSize({ width: 700, height: 560 });
    await settled(page);
    expect(await page.evaluate(() => [...document.querySelectorAll('studio-toolbar button, studio-toolbar select')].filter((e) => e.getBoundingClientRect().right > innerWidth).length)).toBe(0);
    await page.click('[data-drawer=right]');
    await until(page, () => document.querySelector('studio-inspector')!.getBoundingClientRect().width > 200, undefined, 'the inspector over the view');
    await page.click('[data-drawer=right]');
    // A telephone: everything can be reached, and menus are in the window.
    await page.setViewportSize({ width: 390, height: 780 });
    await settled(page);
    expect(await page.evaluate(() => [...document.querySelectorAll('studio-toolbar button, studio-toolbar select')].filter((e) => { const b = e.getBoundingClientRect(); return b.right > innerWidth || b.left < 0 || b.width < 18; }).map((e) => e.outerHTML.slice(0, 60)))).toEqual([]);
    for (const menu of ['file', 'settings', 'ghost']) {
      await page.click(`[data-do=${menu}]`);
      const sheet = await page.evaluate(() => { const b = document.querySelector('.menu > .sheet')!.getBoundingClientRect(); return { in: b.left >= 0 && b.right <= innerWidth && b.bottom <= innerHeight, seen: document.elementFromPoint(b.left + b.width / 2, b.top + 20)!.closest('.sheet') !== null }; });
      expect(sheet).toEqual({ in: true, seen: true });
      await page.click(`[data-do=${menu}]`);
    }
    await page.setViewportSize({ width: 900, height: 560 });
    await settled(page);
  });

  it('what moves stays in the picture until somebody takes the camera', async () => {
    const { page } = studio;
    await open(page, 'chain');
    const inside = () => page.evaluate(() => {
      const box = document.querySelector('studio-view canvas')!.getBoundingClientRect();
      return window.__studio.state().scene!.bodies.slice(1).every((b) => { const p = window.__studio.project(b.name)!; return p.x > box.left && p.x < box.right && p.y > box.top && p.y < box.bottom; });
    });
    expect(await inside()).toBe(true);
    await command_(page, 'step', { frames: 100 });  // it has fallen and swung to the other side
    await until(page, () => window.__studio.frame()?.frame === 100);
    await vi.waitFor(async () => expect(await inside()).toBe(true), 5000);
    await page.mouse.move(450, 250);
    await wheel(page, -800);
    const mine = await page.evaluate(() => window.__studio.studio.view!.camera.position.toArray());
    await command_(page, 'step', { frames: 30 });
    await until(page, () => window.__studio.frame()?.frame === 130);
    await page.waitForTimeout(300);
    expect(await page.evaluate(() => window.__studio.studio.view!.camera.position.toArray())).toEqual(mine);
  });
});
