// Text and graphics are one: errors at their column, completion, edits that touch one line, undo of everything.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { command, command_, open, openStudio, settled, text, until, type Studio } from './harness';

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio('pendulum.arm', { width: 1100, height: 640 });
  await studio.page.evaluate(() => window.__studio.studio.store.set({ plotsOpen: false }));
});
afterAll(() => studio?.close());
beforeEach(async () => {
  await open(studio.page, 'four_bar');
  await studio.page.evaluate(() => window.__studio.studio.store.set({ selection: [], tab: 'inspector', toasts: [] }));
});

const lines = (t: string) => t.split('\n');

/** Puts the cursor behind the first `word` of the text, as a click would. */
async function cursorBehind(word: string): Promise<void> {
  const t = await text(studio.page);
  const at = t.indexOf(word) + word.length;
  const line = t.slice(0, at).split('\n').length;
  const column = at - t.lastIndexOf('\n', at - 1);
  await studio.page.evaluate((d) => window.dispatchEvent(new CustomEvent('studio-goto', { detail: d })), { line, column });
  await until(studio.page, async () => {
    await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
    return document.activeElement?.classList.contains('cm-content') === true;
  });
}

describe('text', () => {
  it('underlines an error at its column with the message of the command line, and takes the underline away', async () => {
    const { page } = studio;
    await cursorBehind('  density 700');
    await page.keyboard.type('x');
    await until(page, () => document.querySelector('.cm-lintRange-error') !== null && document.querySelector('.problem') !== null, undefined, 'an underline');
    const found = await page.evaluate(() => {
      const mark = document.querySelector('.cm-lintRange-error') as HTMLElement;
      const line = mark.closest('.cm-line') as HTMLElement;
      let column = 1;
      for (let n: Node | null = document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode(), w = document.createTreeWalker(line, NodeFilter.SHOW_TEXT); (n = w.nextNode());) {
        if (mark.contains(n)) break;
        column += n.textContent!.length;
      }
      return { line: line.textContent!, column, problem: document.querySelector('.problem')!.textContent! };
    });
    const reply = await page.evaluate(() => window.__studio.state().scene!.problems);
    const row = lines(await text(page)).indexOf(found.line) + 1;
    expect(found.line).toContain('density 700x');
    expect(reply[0]).toMatchObject({ line: row, severity: 'error' });
    expect(found.column).toBe(reply[0].column);
    expect(found.problem).toContain(reply[0].message.slice(0, 20));
    // The old scene goes on meanwhile.
    expect(await page.evaluate(() => window.__studio.counts().bodies)).toBe(5);
    await page.keyboard.press('Backspace');
    await until(page, () => document.querySelector('.cm-lintRange-error') === null, undefined, 'no underline');
  });

  it('has the messages of the command line, with their lines and columns', async () => {
    const { page, folder } = studio;
    const bad = 'title "Bad";\nobject wheel\n  bux size 1 1 1;\n  density 5 5;\n  at 0 hieght 0;\nend\nconstraint pin object1 whel; hinge 0 0 0 0 0 0; end\n';
    await command_(page, 'open', { name: 'bad.arm', text: bad });
    await until(page, () => window.__studio.state().scene!.name.startsWith('bad') && window.__studio.state().scene!.problems.length > 0, undefined, 'problems');
    writeFileSync(join(folder, 'bad.arm'), bad);
    const said = spawnSync(command, ['check', 'bad.arm'], { cwd: folder, encoding: 'utf8' });
    const printed = [...`${said.stdout}${said.stderr}`.matchAll(/^bad\.arm:(\d+):(\d+): error: (.*)$/gm)].map((m) => `${m[1]}:${m[2]} ${m[3]}`);
    expect(printed.length).toBeGreaterThan(2);
    await until(page, (n) => document.querySelectorAll('.problem').length >= n, printed.length, 'a line for each');
    expect(await page.evaluate(() => window.__studio.state().scene!.problems.map((p) => `${p.line}:${p.column} ${p.message}`))).toEqual(printed);
    const shown = await page.evaluate(() => [...document.querySelectorAll('.problem')].map((e) => e.textContent!));
    for (const [i, line] of printed.entries()) expect(shown[i]).toContain(line.slice(line.indexOf(' ') + 1));
    expect(await page.evaluate(() => [...new Set([...document.querySelectorAll('.cm-lintRange-error')].map((m) => m.closest('.cm-line')!))].length)).toBe(new Set(printed.map((p) => p.split(':')[0])).size);
  });

  it('updates the scene as it is typed, and the camera stays', async () => {
    const { page } = studio;
    await page.evaluate(() => { const v = window.__studio.studio.view!; v.camera.position.set(3, 4, 5); v.controls.update(); });
    const camera = await page.evaluate(() => window.__studio.studio.view!.camera.position.toArray());
    await cursorBehind('parameter crank 0.3');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2');
    await until(page, () => window.__studio.state().scene!.text.includes('parameter crank 0.2;'));
    await until(page, () => Math.abs(window.__studio.pose('plate')![1] - 0.2) < 0.02, undefined, 'the plate is lower');
    expect(await page.evaluate(() => window.__studio.studio.view!.camera.position.toArray())).toEqual(camera);
  });

  it('completes from the schema', async () => {
    const { page } = studio;
    await cursorBehind('  density 700;');
    await page.keyboard.press('Enter');
    await page.keyboard.type('vel');
    await until(page, () => [...document.querySelectorAll('.cm-tooltip-autocomplete li')].some((l) => l.textContent!.includes('velocity')), undefined, 'velocity is offered');
    await page.waitForTimeout(120);
    await page.keyboard.press('Enter');
    await page.keyboard.type('1 0 0;');
    await until(page, () => /velocity\s+1 0 0;/.test(window.__studio.state().scene!.text) && window.__studio.state().scene!.problems.length === 0, undefined, 'velocity is in the text');
  });

  it('takes every key of a fast writer', async () => {
    const { page } = studio;
    await cursorBehind('title "Four-bar linkage";');
    const words = '  // the quick brown fox jumps over the lazy dog, twice over, and then the dog gets up and leaves for good';
    await page.keyboard.type(words, { delay: 12 });
    await until(page, (w) => window.__studio.state().scene!.text.includes(w), words, 'all that was typed');
    expect(await page.evaluate(() => window.__studio.state().toasts.length)).toBe(0);
    await page.keyboard.press('Control+z');
    await until(page, (w) => !window.__studio.state().scene!.text.includes(w), words, 'undone');
    expect(await page.evaluate(() => document.querySelector('.cm-content')!.textContent!.includes('leaves for good'))).toBe(false);
  });

  it('never lands in another document, and a save takes the last key along', async () => {
    const { page, folder } = studio;
    await cursorBehind('title "Four-bar linkage";');
    await page.keyboard.type(' // late');
    // Before the pause after which it would have been sent.
    await page.evaluate(() => window.__studio.studio.engine.send('open', { file: 'pendulum.arm' }));
    const disk = readFileSync(join(folder, 'pendulum.arm'), 'utf8');
    await until(page, (t) => window.__studio.state().scene!.text === t, disk, 'the other document');
    await page.waitForTimeout(500);
    expect(await text(page)).toBe(disk);
    expect(await page.evaluate(() => document.querySelector('.cm-content')!.textContent!.includes('late'))).toBe(false);
    await cursorBehind('title "Pendulum";');
    await page.keyboard.type(' // in time');
    await page.keyboard.press('Control+s');
    await until(page, () => window.__studio.state().toasts.some((t) => t.text.startsWith('Saved')), undefined, 'saved');
    expect(readFileSync(join(folder, 'pendulum.arm'), 'utf8')).toBe(disk.replace('title "Pendulum";', 'title "Pendulum"; // in time'));
    // A solver that is chosen between two keys does not cost the second.
    await page.keyboard.type('!');
    await page.evaluate(() => window.__studio.studio.engine.send('settings', { solver: 'linearized' }));
    await until(page, () => window.__studio.state().scene!.text.includes('in time!'), undefined, 'the last key');
    expect(await page.evaluate(() => window.__studio.state().toasts.filter((t) => t.severity !== 'info'))).toEqual([]);
    await page.keyboard.press('Backspace');
    await command_(page, 'settings', { solver: null });
    writeFileSync(join(folder, 'pendulum.arm'), disk);
  });

  it('is highlighted', async () => {
    await command_(studio.page, 'open', { name: 'words.arm', text: 'object box\n  box size 1 1 1;\nend\nconstraint object1 box; hinge 0 0 0 0 0 0; end\nparameter size 2;\n' });
    await until(studio.page, () => document.querySelector('.cm-line')?.textContent === 'object box', undefined, 'the text');
    // A name is no keyword, whatever it is called.
    const colors = await studio.page.evaluate(() => [...document.querySelectorAll('.cm-line span')].filter((s) => s.childElementCount === 0 && /^(box|object1|object|size)$/.test(s.textContent!)).map((s) => [s.textContent!, getComputedStyle(s).color]));
    const [[, object], [, name], [, shape], [, size], [, first], [, again], [, parameter]] = colors;
    expect(colors.map(([word]) => word)).toEqual(['object', 'box', 'box', 'size', 'object1', 'box', 'size']);
    expect(new Set([object, name, shape, size]).size).toBe(4);
    expect([again, parameter]).toEqual([name, name]);
    expect(first).toBe(shape);
    expect(await studio.page.evaluate(() => new Set([...document.querySelectorAll('.cm-line span')].map((s) => getComputedStyle(s).color)).size)).toBeGreaterThan(3);
  });
});

describe('inspector', () => {
  it('has a field for every value that is written, and an edit changes that line alone', async () => {
    const { page } = studio;
    await page.evaluate(() => window.__studio.studio.actions.select('plate'));
    const before = await text(page);
    const field = page.locator('[data-inspects=plate] [data-path="plate.density"]');
    expect(await field.inputValue()).toBe('500');
    await field.fill('650');
    await field.press('Enter');
    await until(page, () => window.__studio.state().scene!.text.includes('density 650'));
    const after = await text(page);
    const changed = lines(before).map((l, i) => [l, lines(after)[i]]).filter(([a, b]) => a !== b);
    expect(lines(after).length).toBe(lines(before).length);
    expect(changed).toEqual([['  density 500;', '  density 650;']]);
  });

  it('changes one component of a vector and leaves expressions beside it', async () => {
    const { page } = studio;
    await page.evaluate(() => window.__studio.studio.actions.select('plate'));
    const before = await text(page);
    const y = page.locator('[data-inspects=plate] [data-path="plate.at.y"]');
    expect(await y.inputValue()).toBe('crank');
    await y.fill('crank + 0.1');
    await y.press('Enter');
    await until(page, () => window.__studio.state().scene!.text.includes('at 0 crank + 0.1 0;'));
    const after = await text(page);
    expect(lines(before).filter((l, i) => l !== lines(after)[i])).toEqual(['  at 0 crank 0;']);
  });

  it('adds what is not said yet: another shape, with its defaults', async () => {
    const { page } = studio;
    await page.evaluate(() => window.__studio.studio.actions.select('plate'));
    const before = await text(page);
    await page.selectOption('[data-inspects=plate] [data-do=add-keyword]', 'cylinder');
    await until(page, () => /cylinder radius 0.1 length 0.1;/.test(window.__studio.state().scene!.text), undefined, 'a cylinder');
    expect(await page.evaluate(() => window.__studio.state().scene!.problems.length)).toBe(0);
    const after = lines(await text(page));
    expect(after.length).toBe(lines(before).length + 1);
    expect(after.filter((l) => !lines(before).includes(l))).toHaveLength(1);
    await command_(page, 'undo');
    expect(await text(page)).toBe(before);
  });

  it('takes a statement or an option out: its line goes, nothing else changes, and undo brings it back', async () => {
    const { page } = studio;
    await page.evaluate(() => window.__studio.studio.actions.select('plate'));
    const before = await text(page);
    await page.hover('[data-inspects=plate] .field:has([data-path="plate.density"])');
    await page.click('[data-inspects=plate] [data-erase="plate.density"]');
    await until(page, (t) => window.__studio.state().scene!.text !== t, before, 'another text');
    const after = await text(page);
    // The one line that says it is gone; all others are as they were.
    const gone = lines(before).filter((l) => !lines(after).includes(l));
    expect(gone).toEqual(['  density 500;']);
    expect(lines(after)).toEqual(lines(before).filter((l) => l !== '  density 500;'));
    await until(page, () => (document.querySelector('[data-inspects=plate] [data-path="plate.density"]') as HTMLInputElement).value === '', undefined, 'an empty field');
    // What must be said cannot be taken out.
    expect(await page.locator('[data-inspects=plate] [data-erase$=".size"]').count()).toBe(0);
    await page.locator('studio-view canvas').focus();
    await page.keyboard.press('Control+z');
    await until(page, (t) => window.__studio.state().scene!.text === t, before, 'the old text');
  });

  it('edits what comes from an included file in that file, and shows its text', async () => {
    const { page, folder } = studio;
    await command_(page, 'open', { file: 'ragdolls.arm' });
    await until(page, () => window.__studio.state().scene?.file === 'ragdolls.arm' && window.__studio.state().frame?.revision === window.__studio.state().scene!.revision);
    const { name, file } = await page.evaluate(() => window.__studio.state().scene!.bodies.find((b) => b.file && b.kind === 'dynamic')!);
    const disk = readFileSync(join(folder, file!), 'utf8');
    const own = await text(page);
    await page.evaluate((n) => window.__studio.studio.actions.select(n), name);
    const form = page.locator(`[data-inspects="${name}"]`);
    const density = form.locator(`[data-path="${name}.density"]`);
    await until(page, (n) => document.querySelector(`[data-inspects="${n}"] [data-path="${n}.density"]`) !== null, name, 'its form');
    expect(await form.textContent()).toContain(file);
    await density.fill('432');
    await density.press('Enter');
    await until(page, (f) => window.__studio.state().scene!.files!.find((x) => x.file === f)!.dirty, file, 'that file is not saved');
    expect(await text(page)).toBe(own);
    await form.locator('[data-do=show-text]').click();
    await until(page, () => document.querySelector('.files .on')?.getAttribute('data-file') !== '' && document.querySelector('.cm-content')!.textContent!.includes('432'), undefined, 'its text');
    expect(readFileSync(join(folder, file!), 'utf8')).toBe(disk);
    await page.locator('studio-view canvas').focus();
    await page.keyboard.press('Control+s');
    await until(page, () => !window.__studio.state().scene!.dirty, undefined, 'saved');
    const now = readFileSync(join(folder, file!), 'utf8');
    expect(lines(now).filter((l, i) => l !== lines(disk)[i])).toHaveLength(1);
    expect(now).toContain('432');
    await page.evaluate(() => window.__studio.studio.store.set({ textFile: null }));
  });

  it('offers to write a repeat out when one of its solids is to go', async () => {
    const { page } = studio;
    await open(page, 'chain');
    const before = await text(page);
    await page.evaluate(() => window.__studio.studio.actions.select('link[20]'));
    await page.locator('studio-view canvas').focus();
    await page.keyboard.press('Delete');
    await page.click('.toast button.edge');
    await until(page, () => window.__studio.counts().bodies === 20, undefined, 'nineteen links');
    expect(await page.evaluate(() => window.__studio.state().scene!.bodies.map((b) => b.name))).not.toContain('link[20]');
    await page.keyboard.press('Control+z');
    await until(page, (t) => window.__studio.state().scene!.text === t, before, 'the old text');
  });

  it('refuses what the language refuses', async () => {
    const { page } = studio;
    await page.evaluate(() => window.__studio.studio.actions.select('plate'));
    const before = await text(page);
    const field = page.locator('[data-inspects=plate] [data-path="plate.density"]');
    await field.fill('heavy');
    await field.press('Enter');
    await until(page, () => document.querySelector('.toast.error') !== null);
    await field.fill('1 2');
    await field.press('Enter');
    await until(page, () => window.__studio.state().toasts.length > 1);
    await command_(page, 'undo');
    expect(await text(page)).toBe(before);
  });
});

describe('undo', () => {
  it('takes twenty edits of every kind back to the identical text, and forth again', async () => {
    const { page } = studio;
    const start = await text(page);
    for (let i = 0; i < 12; i++) await command_(page, 'edit', { path: 'plate.density', value: String(501 + i) });
    for (let i = 0; i < 4; i++) await command_(page, 'add', { block: `object extra${i}\n  sphere radius 0.1;\n  at ${i} 2 0;\nend\n` });
    await command_(page, 'remove', { names: ['extra1'] });
    await command_(page, 'duplicate', { names: ['extra2'], offset: [0.1, 0, 0] });
    await command_(page, 'place', { placements: { extra0: [0, 3, 0, 0, 0, 0, 1] }, permanent: true });
    await command_(page, 'edits', { edits: [{ path: 'crank', value: '0.31' }, { path: 'side', value: '0.91' }] });
    const end = await text(page);
    expect(end).not.toBe(start);
    await page.locator('studio-view canvas').focus();
    for (let i = 0; i < 20; i++) await page.keyboard.press('Control+z');
    await until(page, (t) => window.__studio.state().scene!.text === t, start, 'the first text', 30_000);
    expect(await text(page)).toBe(start);
    for (let i = 0; i < 20; i++) await page.keyboard.press('Control+Shift+z');
    await until(page, (t) => window.__studio.state().scene!.text === t, end, 'the last text', 30_000);
    for (let i = 0; i < 20; i++) await command_(page, 'undo');
  });
});

describe('files', () => {
  it('are read again when they change on disk; a conflict is shown and nothing overwritten', async () => {
    const { page, folder } = studio;
    await command_(page, 'open', { file: 'pendulum.arm' });
    await until(page, () => window.__studio.state().scene?.file?.endsWith('pendulum.arm') === true);
    const path = join(folder, 'pendulum.arm');
    const old = readFileSync(path, 'utf8');
    writeFileSync(path, old.replace('title "', 'title "Changed '));
    await until(page, () => window.__studio.state().scene!.text.includes('"Changed '), undefined, 'the new text');
    await command_(page, 'edit', { path: 'length', value: '1.5' });
    writeFileSync(path, old.replace('title "', 'title "Again '));
    await until(page, () => window.__studio.state().toasts.some((t) => /disk/.test(t.text) && t.severity === 'warning'), undefined, 'a warning');
    await until(page, () => [...document.querySelectorAll('.toast.warning')].some((t) => /changed on disk/.test(t.textContent!) && t.querySelector('button.edge') !== null), undefined, 'which is seen, with a way out');
    expect(await text(page)).toContain('"Changed ');
    const reply = await command_(page, 'save');
    expect(reply).toMatchObject({ ok: false, conflict: true });
    expect(readFileSync(path, 'utf8')).toContain('"Again ');
    await settled(page);
  });
});
