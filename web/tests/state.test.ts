import { describe, expect, it, vi } from 'vitest';
import { MockEngine } from '../src/engine/mock_engine';
import { Session } from '../src/session';
import { findBinding, keyName, BINDINGS } from '../src/state/keys';
import { bodyIndex, freshName } from '../src/state/names';
import { readReport } from '../src/state/reports';
import { Store } from '../src/state/store';
import { Studio } from '../src/studio';
import { Latency } from '../src/util/latency';
import { asFraction, nice, show, showLength, ticks, write } from '../src/util/numbers';

// The session names the document after the scene; there is no document here.
vi.stubGlobal('document', { title: '' });

function start(links = 3) {
  const engine = new MockEngine(links);
  const studio = new Studio(new Store(), engine);
  engine.start(new Session(studio));
  engine.stop();  // no clock: tests step by themselves
  return { engine, studio, store: studio.store };
}

describe('store', () => {
  it('tells of changes of the keys asked for, and of nothing else', () => {
    const store = new Store();
    const heard = vi.fn();
    const end = store.on(['speed'], heard);
    store.set({ hover: 'x' });
    store.set({ speed: 1 });
    expect(heard).not.toHaveBeenCalled();
    store.set({ speed: 2 });
    expect(heard).toHaveBeenCalledTimes(1);
    end();
    store.set({ speed: 3 });
    expect(heard).toHaveBeenCalledTimes(1);
  });
});

describe('session', () => {
  it('takes scene, status and frames in', () => {
    const { store } = start();
    expect(store.state.scene?.bodies.length).toBe(4);
    expect(store.state.frame?.frame).toBe(0);
    expect(store.state.connection).toBe('open');
  });

  it('ignores frames of another scene', () => {
    const { studio, store } = start();
    const old = store.state.frame!;
    new Session(studio).frame({ ...old, revision: 99, frame: 5 });
    expect(store.state.frame?.frame).toBe(0);
  });

  it('keeps a selection that is still there and drops one that is not', () => {
    const { engine, store } = start();
    store.set({ selection: ['link[1]', 'gone'] });
    void engine.send('text', { text: 'title "x";' });
    expect(store.state.selection).toEqual(['link[1]']);
  });
});

describe('long work', () => {
  it('is listed while it lasts, with how far it is', () => {
    const { studio, store } = start();
    const session = new Session(studio);
    session.event({ event: 'job', job: 3, what: 'doctor', done: 0.1 });
    session.event({ event: 'job', job: 4, what: 'glb', done: 0 });
    session.event({ event: 'job', job: 3, what: 'doctor', done: 0.6 });
    expect(store.state.jobs.find((j) => j.job === 3)?.done).toBe(0.6);
    session.event({ event: 'job', job: 3, what: 'doctor', done: 0.6, end: 'cancelled' });
    expect(store.state.jobs.map((j) => j.job)).toEqual([4]);
  });
});

describe('texts of included files', () => {
  it('are asked for once per change, and the old words stay until the new ones come', async () => {
    const { engine, studio, store } = start();
    let text = 'one';
    const send = vi.spyOn(engine, 'send').mockImplementation(async () => ({ id: 1, ok: true, text, file: 'a.arm' }));
    expect(studio.sources.peek('a.arm')).toBeNull();
    studio.sources.peek('a.arm');
    await Promise.resolve();
    expect(studio.sources.peek('a.arm')).toBe('one');
    expect(send).toHaveBeenCalledTimes(1);
    text = 'two';
    store.set({ scene: { ...store.state.scene!, revision: store.state.scene!.revision + 1 } });
    expect(studio.sources.peek('a.arm')).toBe('one');
    await Promise.resolve();
    expect(studio.sources.peek('a.arm')).toBe('two');
    expect(send).toHaveBeenCalledTimes(2);
  });
});

describe('actions', () => {
  it('offer to write a repeat out where one of its things cannot go alone', async () => {
    const { engine, studio, store } = start();
    const refusal = { severity: 'error' as const, message: 'one of many', line: 3, column: 1, length: 1, unroll: true };
    const send = vi.spyOn(engine, 'send').mockImplementation(async (_c, fields) => (fields?.unroll ? { id: 1, ok: true } : { id: 1, ok: false, errors: [refusal] }));
    store.set({ selection: ['link[2]'] });
    studio.actions.remove();
    await vi.waitFor(() => expect(store.state.toasts).toHaveLength(1));
    expect(store.state.selection).toEqual(['link[2]']);
    store.state.toasts[0].action!.run();
    expect(send).toHaveBeenLastCalledWith('remove', { names: ['link[2]'], unroll: true });
  });

  it('play, pause, undo and redo through the engine', async () => {
    const { engine, studio, store } = start();
    studio.actions.playPause();
    await Promise.resolve();
    expect(store.state.status?.playing).toBe(true);
    const before = store.state.scene!.text;
    await engine.send('text', { text: 'title "y";' });
    expect(store.state.scene!.text).toBe('title "y";');
    await studio.actions.run('undo');
    expect(store.state.scene!.text).toBe(before);
    await studio.actions.run('redo');
    expect(store.state.scene!.text).toBe('title "y";');
  });

  it('turn a refusal into a toast', async () => {
    const { studio, store } = start();
    await studio.actions.run('undo');
    expect(store.state.toasts.map((t) => t.severity)).toEqual(['error']);
  });

  it('scale every shape of all solids as one step', async () => {
    const { engine, studio } = start();
    await studio.actions.scale(['link[2]', 'link[3]'], [2, 1, 1]);
    const sent = engine.log.filter((l) => l.command === 'edits');
    expect(sent).toHaveLength(1);
    expect(sent[0].fields.edits).toEqual([2, 3].flatMap((i) => [{ path: `link[${i}].capsule.radius`, value: '0.015' }, { path: `link[${i}].capsule.length`, value: '0.14' }]));
  });

  it('seek to the newest wish only', async () => {
    const { engine, studio } = start();
    for (let i = 1; i <= 50; i++) studio.actions.seek(i);
    await new Promise((r) => setTimeout(r, 5));
    const sent = engine.log.filter((l) => l.command === 'seek').map((l) => l.fields.frame);
    expect(sent.length).toBeLessThan(4);
    expect(sent[sent.length - 1]).toBe(50);
  });

  it('select one, add another, take it away', () => {
    const { studio, store } = start();
    studio.actions.select('link[1]');
    studio.actions.select('link[2]', true);
    expect(store.state.selection).toEqual(['link[1]', 'link[2]']);
    studio.actions.select('link[1]', true);
    studio.actions.escape();
    expect(store.state.selection).toEqual([]);
  });
});

describe('names', () => {
  it('are found and made fresh', () => {
    const { store } = start();
    expect(bodyIndex(store.state.scene!, 'link[2]')).toBe(2);
    expect(bodyIndex(store.state.scene!, 'nobody')).toBe(-1);
    expect(freshName(store.state.scene, 'box')).toBe('box');
    expect(freshName(store.state.scene, 'hook')).toBe('hook2');
  });
});

describe('keys', () => {
  const press = (key: string, more = {}) => keyName({ key, ctrlKey: false, metaKey: false, shiftKey: false, ...more });
  it('have names', () => {
    expect(press(' ')).toBe('Space');
    expect(press('z', { ctrlKey: true })).toBe('Ctrl+Z');
    expect(press('Z', { metaKey: true, shiftKey: true })).toBe('Ctrl+Shift+Z');
    expect(press('?', { shiftKey: true })).toBe('?');
    expect(press('ArrowRight', { shiftKey: true })).toBe('Shift+→');
    expect(press('+', { shiftKey: true })).toBe('+');
  });
  it('are each bound once', () => {
    const all = BINDINGS.flatMap((b) => b.keys);
    expect(new Set(all).size).toBe(all.length);
    for (const name of ['Space', '→', '←', 'Backspace', '+', '-', '?', 'F', 'Esc', 'W', 'E', 'R']) expect(findBinding(name), name).toBeDefined();
  });
});

describe('reports', () => {
  it('are read from the doctor and from the assembly', () => {
    const doctor = readReport('Doctor', { consistent: true, mobility: 2, by_count: 1, findings: [], freedoms: [{ kind: 'idle', sentence: 's', motion: [{ solid: 'a', v: [0, 0, 0], w: [1, 0, 0] }] }] });
    expect(doctor.good).toBe(true);
    expect(doctor.text).toContain('Mobility 2');
    expect(doctor.findings![0].names).toEqual(['a']);
    const assembly = readReport('Assembly', { verdict: 'not converged', culprits: ['pin'], text: 'why' });
    expect(assembly.good).toBe(false);
    expect(assembly.culprits).toEqual(['pin']);
  });
});

describe('latency', () => {
  it('is counted from the input that a frame contains', () => {
    const l = new Latency();
    const a = l.input(100), b = l.input(110);
    l.frame(b, 3, 130);
    l.frame(b, 3, 150);
    l.frame(a, 3, 150);
    expect(l.samples).toEqual([{ totalMs: 20, serverMs: 3 }]);
  });
});

describe('numbers', () => {
  it('of a time line are round ones of the time that it has', () => {
    expect(ticks(0, 4)).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]);
    expect(ticks(53.3, 90)).toEqual([55, 60, 65, 70, 75, 80, 85, 90]);
    expect(ticks(0, 0)).toEqual([0]);
  });
  it('of steps are parts of a second where that is shorter', () => {
    expect([1 / 60, 1 / 120, 0.01, 0.25, 0.0123456, 0, 2, 1e-4].map(asFraction)).toEqual(['1/60', '1/120', '0.01', '0.25', '0.0123456', '0', '2', '0.0001']);
  });
  it('are for people', () => {
    expect(show(1234.5)).toBe('1235');
    expect(show(1.2e-5)).toBe('1.20·10⁻⁵');
    expect(show(null)).toBe('–');
    expect(showLength(1.2e-5)).toBe('12.0 µm');
    expect(showLength(0.0034)).toBe('3.40 mm');
  });
  it('are for scene text', () => {
    expect(write(-0)).toBe('0');
    expect(write(0.1 + 0.2)).toBe('0.3');
    expect(nice(0.034)).toBeCloseTo(0.02, 12);
  });
});
