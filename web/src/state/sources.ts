// Texts of included files: the scene event names them, their words are asked for when somebody looks.
import type { Studio } from '../studio';

export class Sources {
  private known = new Map<string, { revision: number; text: string }>();
  private asked = new Map<string, number>();

  constructor(private studio: Studio) {}

  /** What is known of a file; what is old or missing is asked for, and `sources` of the store changes when it comes. */
  peek(file: string): string | null {
    const revision = this.studio.store.state.scene?.revision ?? 0;
    const known = this.known.get(file);
    // The old words stay until the new ones are there: a form that vanished between would lose the keyboard.
    if (known?.revision !== revision && this.asked.get(file) !== revision) void this.load(file);
    return known?.text ?? null;
  }

  async load(file: string): Promise<string | null> {
    const { store, engine } = this.studio;
    const revision = store.state.scene?.revision ?? 0;
    this.asked.set(file, revision);
    const reply = await engine.send('source', { file });
    if (!reply.ok || typeof reply.text !== 'string') return null;
    this.known.set(file, { revision, text: reply.text });
    store.set({ sources: store.state.sources + 1 });
    return reply.text;
  }
}
