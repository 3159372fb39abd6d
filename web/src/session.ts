// Takes what the engine says into the store and the view.
import type { Connection, EngineListener } from './engine/engine';
import { FrameKind, type Frame } from './engine/frame';
import type { EngineEvent, Hello, SceneEvent } from './engine/messages';
import { bodyIndex, jointIndex } from './state/names';
import type { Studio } from './studio';

export class Session implements EngineListener {
  /** Frames and their bytes since the page was opened, for the figures. */
  readonly counts = { frames: 0, bytes: 0 };

  constructor(private studio: Studio) {}

  connection(connection: Connection): void {
    this.studio.store.set({ connection });
  }

  hello(hello: Hello): void {
    this.studio.store.set({ hello });
  }

  event(event: EngineEvent): void {
    const { store } = this.studio;
    switch (event.event) {
      case 'scene': this.scene(event); break;
      case 'status': store.set({ status: event, ...(event.loop !== undefined && !event.loop && store.state.status?.loop ? { loopRange: null } : {}) }); break;
      case 'message': store.toast(event.severity, event.text); break;
      case 'job': {
        const rest = store.state.jobs.filter((j) => j.job !== event.job);
        store.set({ jobs: event.end ? rest : [...rest, { job: event.job, what: event.what, done: event.done }] });
        break;
      }
      case 'file':
        if (event.conflict)
          store.toast('warning', 'The file has changed on disk, and here too. Nothing is overwritten until you decide.', {
            sticky: true,
            action: { label: 'Take the file', run: () => void this.studio.actions.open({ file: store.state.scene?.file }) },
          });
        else store.toast('info', 'The file changed on disk and was read again.');
        break;
    }
  }

  private scene(scene: SceneEvent): void {
    const { store, view } = this.studio;
    const old = store.state.scene;
    // Another document is looked at anew; an edit must not move the camera.
    // One that was only saved under another name is the same.
    const other = !old || ((old.file !== scene.file || old.name !== scene.name) && old.text !== scene.text);
    const known = (name: string) => bodyIndex(scene, name) >= 0 || jointIndex(scene, name) >= 0 || scene.groups.some((g) => (g.path ?? g.name) === name);
    document.title = `${scene.dirty ? '● ' : ''}${scene.title || scene.name} – Armature`;
    const frame = store.state.frame;
    store.set({
      scene,
      ...(store.state.selection.some((n) => !known(n)) ? { selection: store.state.selection.filter(known) } : {}),
      ...(frame && frame.revision !== scene.revision && other ? { frame: null } : {}),
      // What was said of the document before, its trails and its range are not this one's.
      ...(other && old ? { report: null, trails: [], loopRange: null, jointPicks: [] } : {}),
      ...(store.state.textFile && (other || !scene.files?.some((f) => f.file === store.state.textFile)) ? { textFile: null } : {}),
    });
    view?.setScene(scene, other);
    if (other && (scene.autosave || scene.files?.some((f) => f.autosave))) this.offerAutosave(scene);
  }

  private offerAutosave(scene: SceneEvent): void {
    const found: { text: string; file?: string }[] = scene.autosave ? [{ text: scene.autosave }] : [];
    for (const f of scene.files ?? []) if (f.autosave) found.push({ text: f.autosave, file: f.file });
    this.studio.store.toast('warning', `Unsaved work on ${scene.file || 'this scene'} was found.`, {
      sticky: true,
      action: { label: 'Take it back', run: () => void this.takeBack(found) },
    });
  }

  private async takeBack(found: { text: string; file?: string }[]): Promise<void> {
    const { actions, store, engine } = this.studio;
    let revision = store.state.scene?.revision ?? 0;
    for (const one of found) {
      const reply = await actions.run('text', { ...one, revision });
      // The copies may go only when all of their text is here.
      if (!reply.ok) return;
      revision = Number(reply.revision ?? revision);
    }
    await engine.send('discard');
  }

  frame(frame: Frame): void {
    const { store, view, latency } = this.studio;
    this.counts.frames++;
    this.counts.bytes += frame.bytes;
    if (!store.state.scene || frame.revision !== store.state.scene.revision) return;
    if (frame.kind === FrameKind.ghost) {
      view?.setGhost(frame.poses);
      return;
    }
    view?.setFrame(frame);
    if (frame.input > 0) latency.frame(frame.input, frame.serverMs, performance.now());
    if (frame.kind === FrameKind.live) view?.trails.add(frame.frame, frame.poses);
    store.set({ frame });
  }
}
