// A studio of its own for each file of tests: the command on a free port, a browser, a page. Everything is ended again.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { Hook } from '../src/util/hook';

const here = dirname(fileURLToPath(import.meta.url));
export const root = resolve(here, '../..');
export const command = process.env.ARMATURE ?? join(root, 'build/release/armature');
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

// The page draws in software where there is no graphics card; the sandbox needs rights that a container has not.
const BROWSER_ARGUMENTS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-dev-shm-usage'];

export class Server {
  private constructor(private readonly child: ChildProcess, readonly url: string) {}

  static start(file: string): Promise<Server> {
    if (!existsSync(command)) throw new Error(`there is no ${command}: build the command first`);
    const child = spawn(command, ['studio', file, '--no-open', '--port', '0'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    return new Promise((done, fail) => {
      let said = '';
      child.stdout!.on('data', (data: Buffer) => {
        said += data.toString();
        const url = /http:\/\/\S+/.exec(said);
        if (url) done(new Server(child, url[0]));
      });
      child.on('exit', (code) => fail(new Error(`the studio ended with ${code}: ${said}`)));
    });
  }

  /** The hard way: no chance to write anything. */
  crash(): Promise<void> {
    return new Promise((done) => {
      this.child.on('exit', () => done());
      this.child.kill('SIGKILL');
    });
  }

  stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return Promise.resolve();
    return new Promise((done) => {
      const hard = setTimeout(() => this.child.kill('SIGKILL'), 4000);
      this.child.on('exit', () => { clearTimeout(hard); done(); });
      this.child.kill('SIGINT');
    });
  }
}

export interface Studio {
  server: Server;
  browser: Browser;
  context: BrowserContext;
  page: Page;
  /** What the console complained about, and errors nobody caught. */
  errors: string[];
  folder: string;
  close(): Promise<void>;
}

export interface Options {
  width?: number;
  height?: number;
  detail?: number;
  touch?: boolean;
}

export async function openPage(context: BrowserContext, url: string, errors: string[], detail = 3): Promise<Page> {
  const page = await context.newPage();
  page.on('console', (m) => { if (m.type() === 'error') errors.push(m.text()); });
  page.on('pageerror', (e) => errors.push(e.message));
  // `detail` before the fragment: low detail from the first picture on.
  await page.goto(url.replace('/#', `/?detail=${detail}#`));
  await until(page, () => (window as unknown as { __studio?: Hook }).__studio?.ready === true && document.querySelector('.cm-content') !== null);
  return page;
}

/** A studio on a copy of the scenes: tests write files, and the repository must not change. */
export async function openStudio(scene: string, options: Options = {}): Promise<Studio> {
  const folder = mkdtempSync(join(tmpdir(), 'armature-e2e-'));
  cpSync(join(root, 'scenes'), folder, { recursive: true });
  let server: Server | undefined, browser: Browser | undefined;
  const close = async () => {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    server = await Server.start(join(folder, scene));
    browser = await chromium.launch({ executablePath: browserPath, args: BROWSER_ARGUMENTS });
    const context = await browser.newContext({ viewport: { width: options.width ?? 900, height: options.height ?? 560 }, hasTouch: options.touch, acceptDownloads: true });
    // Narrow panels: the view is small already.
    await context.addInitScript(() => localStorage.setItem('armature.sizes', JSON.stringify({ left: 140, right: 240, plots: 110 })));
    const errors: string[] = [];
    const page = await openPage(context, server.url, errors, options.detail);
    return { server, browser, context, page, errors, folder, close };
  } catch (error) {
    await close();  // nothing is left behind by one that did not come up
    throw error;
  }
}

/** Asks the page again and again: its policy forbids the strings that playwright's own waiting evaluates. */
export async function until<A>(page: Page, test: (a: A) => boolean | Promise<boolean>, a?: A, what = '', ms = 20_000): Promise<void> {
  const end = Date.now() + ms;
  for (;;) {
    if (await page.evaluate(test as (a: unknown) => boolean | Promise<boolean>, a)) return;
    if (Date.now() > end) throw new Error(`not in ${ms} ms: ${what || test.toString()}`);
    await page.waitForTimeout(25);
  }
}

declare global {
  interface Window {
    __studio: Hook;
  }
}

/** The view has the size that its panel has: after a change of the layout that takes a picture or two. */
export async function settled(page: Page): Promise<void> {
  await until(page, async () => {
    await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
    const view = window.__studio.studio.view!;
    return Math.abs(view.camera.aspect - view.canvas.clientWidth / view.canvas.clientHeight) < 1e-6;
  }, undefined, 'the view has its size');
}

/** A picture of everything that has happened up to now: what is taken with the mouse must have been drawn where it is. */
export async function drawn(page: Page): Promise<void> {
  const before = await page.evaluate(() => { window.__studio.studio.view!.redraw(); return window.__studio.counts().pictures; });
  await until(page, (n) => window.__studio.counts().pictures > n, before, 'a new picture');
}

/** Nothing plays any more, and the last frame of it is here. */
export const stopped = (page: Page): Promise<void> =>
  until(page, () => { const s = window.__studio.state(); return s.status?.playing === false && s.status.frame === s.frame?.frame; }, undefined, 'standing still');

/** Turns the wheel and waits until the camera has gone: the browser hands a wheel out later than it says. */
export async function wheel(page: Page, by: number): Promise<void> {
  const before = await page.evaluate(() => window.__studio.studio.view!.camera.position.toArray());
  await page.mouse.wheel(0, by);
  await until(page, (b) => window.__studio.studio.view!.camera.position.toArray().some((x, i) => x !== b[i]), before, 'the camera after the wheel');
}

export const text = (page: Page): Promise<string> => page.evaluate(() => window.__studio.state().scene!.text);
export const revision = (page: Page): Promise<number> => page.evaluate(() => window.__studio.state().scene!.revision);
export const pose = (page: Page, body: string): Promise<number[]> => page.evaluate((b) => window.__studio.pose(b)!, body);
export const project = (page: Page, body: string, point: [number, number, number] = [0, 0, 0]): Promise<{ x: number; y: number }> =>
  page.evaluate(([b, p]) => window.__studio.project(b as string, p as [number, number, number])!, [body, point] as const);

/** Sends a command. The page learns of a change of the texts by an event of its own, which may come after the reply. */
export async function command_(page: Page, name: string, fields: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const reply = await page.evaluate(([n, f]) => window.__studio.studio.engine.send(n as string, f as Record<string, unknown>), [name, fields] as const);
  if (typeof reply.revision === 'number') await until(page, (r) => window.__studio.state().scene!.revision >= r, reply.revision, `the scene after ${name}`);
  return reply;
}

/** Another document, without the question about unsaved work. */
export async function open(page: Page, scene: string): Promise<void> {
  const old = await revision(page);
  await command_(page, 'open', { scene });
  await until(page, (r) => { const s = window.__studio.state(); return s.scene!.revision !== r && s.frame?.revision === s.scene!.revision; }, old, `scene ${scene}`);
}

/** A scene of the test's own; ready when its first frame is there. */
export async function openText(page: Page, name: string, scene: string): Promise<void> {
  const old = await revision(page);
  const reply = await command_(page, 'open', { name, text: scene });
  if (!reply.ok) throw new Error(JSON.stringify(reply.errors));
  await until(page, (r) => { const s = window.__studio.state(); return s.scene!.revision !== r && s.frame?.revision === s.scene!.revision; }, old, name);
  const problems = await page.evaluate(() => window.__studio.state().scene!.problems.filter((p) => p.severity === 'error'));
  if (problems.length) throw new Error(JSON.stringify(problems));
}

/** Where the camera is and what it looks at. */
export async function look(page: Page, at: [number, number, number], to: [number, number, number]): Promise<void> {
  await page.evaluate(([a, t]) => {
    const v = window.__studio.studio.view!;
    v.follow.active = false;
    v.camera.position.set(...a);
    v.controls.target.set(...t);
    v.controls.update();
  }, [at, to] as const);
}

export interface Patch {
  width: number;
  height: number;
  /** r g b of each pixel, row by row. */
  rgb: number[];
}

/** The picture as it is drawn now, around a point of the page: `half` pixels of the page to each side. */
export function patch(page: Page, x: number, y: number, half: number): Promise<Patch> {
  return page.evaluate(([px, py, h]) => {
    const view = window.__studio.studio.view!;
    view.draw();  // in the same task: the picture is gone after it
    const box = view.canvas.getBoundingClientRect();
    const scale = view.canvas.width / view.canvas.clientWidth;
    const copy = document.createElement('canvas');
    copy.width = copy.height = Math.max(1, Math.round(2 * h * scale));
    const c = copy.getContext('2d')!;
    c.drawImage(view.canvas, -Math.round((px - box.left - h) * scale), -Math.round((py - box.top - h) * scale));
    const { data } = c.getImageData(0, 0, copy.width, copy.height);
    const rgb: number[] = [];
    for (let i = 0; i < data.length; i += 4) rgb.push(data[i], data[i + 1], data[i + 2]);
    return { width: copy.width, height: copy.height, rgb };
  }, [x, y, half] as const);
}

/** How many pixels of a patch are like this. */
export function like(p: Patch, test: (r: number, g: number, b: number) => boolean): number {
  let n = 0;
  for (let i = 0; i < p.rgb.length; i += 3) if (test(p.rgb[i], p.rgb[i + 1], p.rgb[i + 2])) n++;
  return n;
}
