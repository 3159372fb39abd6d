// What a user can do, in one place: buttons, menus and keys call these. A refusal of the engine becomes a toast.
import { reason } from '../engine/engine';
import type { PoseArray, Reply, Settings, Vec3 } from '../engine/messages';
import type { Studio } from '../studio';
import { solidBlock, type SolidKind } from '../language/templates';
import { nice } from '../util/numbers';
import { findBody, freshName } from './names';
import { readReport } from './reports';
import { freePlace } from '../view/free_place';
import { snapPoint } from '../view/pick';
import { length, sub } from '../view/pose';
import { scaleEdits } from '../view/scaling';

/** Bytes: more is not taken by the engine in one message. */
const LARGEST_SCENE = 3 << 20;

/** What must come after the last key that was pressed in the text. */
const CHANGES_TEXT = new Set(['undo', 'redo', 'format', 'edit', 'edits', 'erase', 'add', 'paste', 'place', 'open']);

export class Actions {
  private copied: { text: string; times: number } | null = null;
  private copying: Promise<void> | null = null;
  private seeking = false;
  private seekNext: number | null = null;

  constructor(private studio: Studio) {}

  private get store() {
    return this.studio.store;
  }
  private get state() {
    return this.studio.store.state;
  }

  async run(command: string, fields: Record<string, unknown> = {}): Promise<Reply> {
    if (CHANGES_TEXT.has(command)) await this.studio.settleText();
    const reply = await this.studio.engine.send(command, fields);
    if (!reply.ok) this.store.toast('error', reason(reply));
    return reply;
  }

  // ---- time --------------------------------------------------------------------------------------------------------

  playPause(): void {
    void this.run(this.state.status?.playing ? 'pause' : 'play');
  }
  step(frames: number): void {
    void this.run('step', { frames });
  }
  reset(): void {
    void this.run('reset');
  }

  /** At most one on the way: a mouse on the timeline asks for more frames than can be shown. */
  seek(frame: number): void {
    this.seekNext = frame;
    if (this.seeking) return;
    this.seeking = true;
    void (async () => {
      while (this.seekNext !== null) {
        const to = this.seekNext;
        this.seekNext = null;
        await this.studio.engine.send('seek', { frame: to });
      }
      this.seeking = false;
    })();
  }

  setSpeed(factor: number): void {
    this.store.set({ speed: factor });
    void this.run('speed', { factor });
  }

  faster(sign: number): void {
    const steps = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];
    const now = steps.reduce((best, s, i) => (Math.abs(s - this.state.speed) < Math.abs(steps[best] - this.state.speed) ? i : best), 0);
    this.setSpeed(steps[Math.max(0, Math.min(steps.length - 1, now + sign))]);
  }

  loop(range: [number, number] | null): void {
    this.store.set({ loopRange: range });
    void this.run('loop', range ? { from: range[0], to: range[1] } : { from: null, to: null });
  }

  // ---- solving -----------------------------------------------------------------------------------------------------

  settings(change: { [K in keyof Settings]?: Settings[K] | null }): Promise<Reply> {
    return this.run('settings', change);
  }

  ghost(solver: string | null): void {
    if (!solver) this.studio.view?.setGhost(null);
    const plotted = this.state.plotted.filter((q) => !q.startsWith('ghost.'));
    this.store.set({ plotted: solver ? [...plotted, ...plotted.map((q) => `ghost.${q}`).filter((q) => q === 'ghost.gap' || q === 'ghost.energy')] : plotted, plotsOpen: true });
    void this.run('ghost', { solver });
  }

  async assemble(): Promise<void> {
    this.store.set({ busy: 'Putting the parts together…' });
    const reply = await this.run('assemble', { frames: 40 });
    this.store.set({ busy: null });
    if (reply.report) this.store.set({ report: readReport('Assembly', reply.report), tab: 'report' });
  }

  async doctor(): Promise<void> {
    this.store.set({ busy: 'Looking at the mechanism…' });
    const reply = await this.run('doctor');
    this.store.set({ busy: null });
    if (reply.ok) this.store.set({ report: readReport('Doctor', reply.report ?? reply), tab: 'report' });
  }

  async runReport(): Promise<void> {
    const reply = await this.run('report');
    if (reply.ok) this.store.set({ report: { title: 'Run report', text: String(reply.text ?? ''), good: null, culprits: [] }, tab: 'report' });
  }

  // ---- text --------------------------------------------------------------------------------------------------------

  undo(): void {
    void this.run('undo');
  }
  redo(): void {
    void this.run('redo');
  }
  format(): void {
    void this.run('format');
  }
  edit(path: string, value: string): Promise<Reply> {
    return this.run('edit', { path, value });
  }
  /** Takes a statement or an option out of the text. */
  erase(path: string): Promise<Reply> {
    return this.run('erase', { path });
  }

  /** Shows a line of the scene's text or of an included file, with the keyboard in it. */
  goTo(line: number, column = 1, file?: string): void {
    const included = this.state.scene?.files?.some((f) => f.file === file) ? file! : null;
    this.store.set({ textFile: included });
    window.dispatchEvent(new CustomEvent('studio-goto', { detail: { line, column, file: included } }));
  }
  cancel(job: number): void {
    void this.run('cancel', { job });
  }

  async save(file?: string, overwrite = false): Promise<void> {
    await this.studio.settleText();
    // What has no file yet is asked for a name, not refused.
    if (!file && this.state.scene && !this.state.scene.file) return this.saveAs();
    const reply = await this.studio.engine.send('save', { ...(file ? { file } : {}), ...(overwrite ? { overwrite } : {}) });
    if (reply.ok) this.store.toast('info', `Saved ${String(reply.file ?? this.state.scene?.file ?? '')}`);
    else if (reply.conflict)
      this.store.toast('warning', 'The file has changed on disk since it was opened.', {
        sticky: true, action: { label: 'Overwrite it', run: () => void this.save(file, true) },
      });
    else this.store.toast('error', reason(reply));
  }

  saveAs(): void {
    const { scene } = this.state;
    const known = scene?.file?.split('/').pop() || `${(scene?.name || 'scene').split('/').pop()!.replace(/\.arm$/, '')}.arm`;
    const name = window.prompt('Save as', known);
    if (name) void this.save(name.endsWith('.arm') ? name : `${name}.arm`);
  }

  /** False when the user would rather keep what is not saved. */
  mayLeave(): boolean {
    return !this.state.scene?.dirty || window.confirm('The scene has changes that are not saved. Leave them?');
  }

  async open(what: { scene?: string; file?: string; text?: string; name?: string }): Promise<void> {
    await this.studio.settleText();
    if (!this.mayLeave()) return;
    this.store.set({ gallery: false, selection: [], trails: [], report: null, loopRange: null, tool: 'select', jointPicks: [] });
    await this.run('open', what);
  }

  newScene(): void {
    // With a floor: the first thing that is added and let go would otherwise fall out of the picture for ever.
    void this.open({ name: 'untitled.arm', text: `title "Untitled";\n\nsimulation\n  duration 10;\nend\n\n${solidBlock('floor', 'floor', 1, [0, 0, 0])}` });
  }

  async openFile(file: File): Promise<void> {
    const text = await file.text();
    if (text.includes('\0') || file.size > LARGEST_SCENE) return this.store.toast('error', `${file.name} is not the text of a scene.`);
    await this.open({ name: file.name, text });
  }

  // ---- selection ---------------------------------------------------------------------------------------------------

  select(name: string | null, more = false): void {
    if (!name) return this.store.set({ selection: [] });
    const old = this.state.selection;
    if (more) this.store.set({ selection: old.includes(name) ? old.filter((n) => n !== name) : [...old, name] });
    else if (old.length !== 1 || old[0] !== name) this.store.set({ selection: [name] });
  }

  selectAll(): void {
    this.store.set({ selection: (this.state.scene?.bodies ?? []).slice(1).filter((b) => !b.shapes.some((s) => s.kind === 'plane')).map((b) => b.name) });
  }

  escape(): void {
    if (this.state.help || this.state.gallery || this.state.exporting || this.state.adding) this.store.set({ help: false, gallery: false, exporting: false, adding: false });
    else if (this.state.tool === 'joint') this.store.set({ tool: 'select', jointPicks: [] });
    else if (this.state.selection.length) this.store.set({ selection: [] });
    else this.store.set({ tool: 'select' });
  }

  frameSelection(): void {
    this.studio.view?.frameNames(this.state.selection);
  }

  // ---- building ----------------------------------------------------------------------------------------------------

  async addSolid(kind: SolidKind): Promise<void> {
    const view = this.studio.view;
    const { scene } = this.state;
    // By what is seen, not by what there is: the second solid has the size of the first.
    const size = view ? nice(view.seenHeight() / 7) : nice((scene?.size.radius ?? 1) / 6);
    const place = view && scene ? freePlace(scene.bodies, view.shownPoses(), view.controls.target.toArray() as Vec3, size) : ([0, 1, 0] as Vec3);
    const solids = (scene?.bodies ?? []).filter((b, i) => i > 0 && !b.shapes.some((s) => s.kind === 'plane')).length;
    const name = freshName(scene, kind === 'particle' ? 'point' : kind);
    const reply = await this.run('add', { block: solidBlock(kind, name, size, place, solids) });
    if (reply.ok) this.store.set({ selection: (reply.names as string[] | undefined)?.slice(0, 1) ?? [name], tab: 'inspector', tool: 'move' });
  }

  async addBlock(block: string): Promise<boolean> {
    const reply = await this.run('add', { block });
    if (reply.ok && Array.isArray(reply.names)) this.store.set({ selection: reply.names as string[], tab: 'inspector' });
    return reply.ok;
  }

  remove(): void {
    const names = this.state.selection;
    if (names.length === 0) return;
    void this.ofRepeats('remove', { names }).then((reply) => {
      if (reply.ok) this.store.set({ selection: [] });
    });
  }

  /** What a `repeat` writes together with others cannot go alone: the refusal offers to write the repeat out first. */
  private async ofRepeats(command: string, fields: Record<string, unknown>): Promise<Reply> {
    await this.studio.settleText();
    const reply = await this.studio.engine.send(command, fields);
    if (reply.ok) return reply;
    const able = reply.errors?.some((p) => p.unroll);
    this.store.toast('warning', reason(reply), able ? {
      sticky: true, action: { label: 'Write the repeat out, then do it', run: () => void this.run(command, { ...fields, unroll: true }) },
    } : {});
    return reply;
  }

  async duplicate(names = this.state.selection): Promise<void> {
    if (names.length === 0) return;
    const step = nice((this.state.scene?.size.radius ?? 1) / 8);
    const reply = await this.ofRepeats('duplicate', { names, offset: [step, 0, 0] });
    if (reply.ok && Array.isArray(reply.names)) this.store.set({ selection: reply.names as string[] });
  }

  copy(): Promise<void> {
    return (this.copying = this.copySelection());
  }

  private async copySelection(): Promise<void> {
    const { selection } = this.state;
    if (selection.length === 0) return;
    const reply = await this.run('copy', { names: selection });
    if (!reply.ok) return;
    this.copied = { text: String(reply.text), times: 0 };
    // Into the system's clipboard too, so that another window or an editor can take it; not every browser lets a page.
    navigator.clipboard?.writeText(this.copied.text).catch(() => undefined);
    this.store.toast('info', `Copied ${selection.length === 1 ? selection[0] : `${selection.length} things`}`);
  }

  /** What was copied here, in this scene or in another one; in a fresh window what the system's clipboard has. */
  async paste(): Promise<void> {
    await this.copying;  // fingers are quicker than the engine
    this.copied ??= { text: (await navigator.clipboard?.readText().catch(() => '')) ?? '', times: 0 };
    if (!this.copied.text.trim()) {
      this.copied = null;
      return this.store.toast('info', 'Nothing has been copied yet.');
    }
    // Each further beside the last.
    const step = nice((this.state.scene?.size.radius ?? 1) / 8) * (this.copied.times + 1);
    const reply = await this.run('paste', { text: this.copied.text, offset: [step, 0, 0] });
    if (!reply.ok) return;
    this.copied.times++;
    this.store.set({ selection: (reply.names as string[]).filter((n) => findBody(this.state.scene, n)), tab: 'inspector' });
  }

  /** What a gizmo did: into the text, or only into the present state. */
  place(placements: Record<string, PoseArray>, permanent: boolean): Promise<Reply> {
    return this.run('place', { placements, permanent });
  }

  /** Sizes of all shapes of these solids times a factor per axis of their frames, as one step. */
  async scale(names: string[], factor: Vec3): Promise<void> {
    const edits = names.flatMap((name) => scaleEdits(findBody(this.state.scene, name)!, factor));
    if (edits.length > 0) await this.run('edits', { edits });
    else this.store.toast('info', `${names.join(', ')}: no shape here that has a size.`);
  }

  async pin(solid: string, point: Vec3): Promise<void> {
    await this.run('pin', { solid, point });
  }
  unpin(drag: string): void {
    void this.run('unpin', { drag });
  }

  async keepDrags(): Promise<void> {
    const reply = await this.run('drags');
    if (!reply.ok) return;
    const text = String(reply.text ?? '').trim();
    if (!text) return this.store.toast('info', 'Nothing has been dragged yet.');
    await this.addBlock(`${text}\n`);
  }

  /** Of a point of a solid, its middle if none is said; one that is as near as `reach` is the same and ends. */
  toggleTrail(name: string, point: Vec3 = [0, 0, 0], reach = 0): void {
    const trails = this.state.trails.filter((t) => t.body !== name || length(sub(t.point, point)) > reach);
    this.store.set({ trails: trails.length < this.state.trails.length ? trails : [...trails, { body: name, point }], showTrails: true });
  }

  /** Of the point under the mouse. */
  trailHere(): void {
    const { view } = this.studio;
    const pick = view?.mouse ? view.pick(view.mouse.x, view.mouse.y) : null;
    const body = pick && pick.body > 0 ? view!.scene!.bodies[pick.body] : null;
    if (!pick || !body || body.shapes.some((s) => s.kind === 'plane')) return this.store.toast('info', 'Point at a solid with the mouse: that point will leave a trail.');
    const reach = view!.pixelSize(pick.world) * 14;
    this.toggleTrail(body.name, this.state.snap ? snapPoint(body, pick.point, reach) : pick.point, reach);
  }
}
