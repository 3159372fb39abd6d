// The scene's text. Every change goes to the engine as it is typed, and its problems come back as underlines; a change
// made elsewhere (view, inspector, disk) arrives as the smallest replacement, so that the cursor stays where it is.
import { autocompletion, closeBrackets, completionKeymap, startCompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, indentWithTab, toggleComment } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { html, nothing } from 'lit';
import type { CompletionItem, Problem, SceneEvent } from '../engine/messages';
import { armatureLanguage, colors } from '../language/highlight';
import { difference } from '../language/difference';
import { findBody, findJoint } from '../state/names';
import { Panel } from './panel';
import { editorTheme } from './text_theme';

const TYPING_PAUSE_MS = 180;
const fromEngine = Annotation.define<boolean>();

/** Whether a problem is about the text that is shown. The command may name the scene's file by another way there. */
function isHere(place: string | undefined, shown: string | null, scene: string | undefined): boolean {
  if (shown !== null) return place === shown;
  return !place || !scene || scene.endsWith(place) || place.endsWith(scene);
}

const documentOf = (scene: SceneEvent | null): string => (scene ? `${scene.file ?? ''}\n${scene.name}` : '');

export class TextPanel extends Panel {
  private editor: EditorView | null = null;
  private language = new Compartment();
  private timer = 0;
  private pending = false;
  /** What was typed is on its way. */
  private sending: Promise<void> | null = null;
  private problems: Problem[] = [];
  /** The included file that the editor shows; what is typed belongs to it. */
  private file: string | null = null;
  /** What the editor had before somebody typed: the engine refuses what is based on another text than it has. */
  private base: { revision: number; text: string; document: string } = { revision: 0, text: '', document: '' };
  /** What is selected has no line yet: it was made just now, and its scene is on the way. */
  private unrevealed = false;

  constructor() {
    super('textFile', 'scene');
  }

  override firstUpdated(): void {
    const { store } = this.studio;
    this.editor = new EditorView({
      parent: this.querySelector('.editor')!,
      state: EditorState.create({
        doc: store.state.scene?.text ?? '',
        extensions: [
          lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), bracketMatching(), closeBrackets(), indentOnInput(),
          indentUnit.of('  '), highlightSelectionMatches(), lintGutter(), colors, editorTheme,
          this.language.of(armatureLanguage(store.state.hello?.schema ?? null)),
          autocompletion({ override: [(c) => this.complete(c)] }),
          // Undo is the engine's: one history for text, view and inspector.
          keymap.of([
            { key: 'Mod-z', run: () => this.history('undo'), preventDefault: true },
            { key: 'Mod-Shift-z', run: () => this.history('redo'), preventDefault: true },
            { key: 'Mod-y', run: () => this.history('redo'), preventDefault: true },
            { key: 'Mod-Space', run: startCompletion },
            { key: 'Mod-/', run: toggleComment },
            ...completionKeymap, ...searchKeymap, indentWithTab, ...defaultKeymap,
          ]),
          EditorView.updateListener.of((u) => {
            if (u.docChanged && !u.transactions.some((t) => t.annotation(fromEngine))) this.typed();
          }),
        ],
      }),
    });
    store.on(['hello'], () => this.editor?.dispatch({ effects: this.language.reconfigure(armatureLanguage(store.state.hello?.schema ?? null)) }));
    store.on(['scene'], () => this.fromScene());
    store.on(['textFile'], () => void this.turnTo(store.state.textFile));
    store.on(['selection'], () => this.reveal());
    window.addEventListener('studio-goto', (e) => {
      const { line, column, file } = (e as CustomEvent<{ line: number; column: number; file?: string | null }>).detail;
      // The tab may only now become visible, and the words of another file may have to come first.
      void this.turnTo(file === undefined ? this.file : file).then(() => requestAnimationFrame(() => this.goTo(line, column, true)));
    });
    this.studio.settleText = () => this.flush();
    this.fromScene();
  }

  /** Text of the engine into the editor, unless something typed is still on its way there. */
  private fromScene(): void {
    const scene = this.state.scene;
    if (!this.editor || !scene) return;
    if (documentOf(scene) !== this.base.document && scene.text === this.base.text) this.base.document = documentOf(scene);  // saved under another name
    // A document that is gone takes with it what was typed into it and not sent.
    if (documentOf(scene) !== this.base.document) {
      clearTimeout(this.timer);
      this.pending = false;
    }
    if (this.pending || this.sending) return;
    if (this.file === null) this.take(scene.text);
    else void this.takeFile(this.file);
    if (this.unrevealed) this.reveal();
  }

  private take(text: string): void {
    const old = this.editor!.state.doc.toString();
    const change = difference(old, text);
    if (change) this.editor!.dispatch({ changes: change, annotations: fromEngine.of(true) });
    const { scene } = this.state;
    this.base = { revision: scene?.revision ?? 0, text, document: documentOf(scene) };
    this.setProblems(this.state.scene?.problems ?? []);
  }

  private async takeFile(file: string): Promise<void> {
    const text = await this.studio.sources.load(file);
    // Meanwhile somebody may have typed, or looked at another file.
    if (text !== null && file === this.file && !this.pending && !this.sending) this.take(text);
  }

  /** Shows another file. What was typed goes out first, to the file it was typed into. */
  private async turnTo(file: string | null): Promise<void> {
    if (file === this.file) return;
    await this.flush();
    this.file = file;
    if (file === null) this.fromScene();
    else await this.takeFile(file);
    this.requestUpdate();
  }

  private typed(): void {
    this.pending = true;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.flush(), TYPING_PAUSE_MS);
  }

  /** Sends what was typed; resolves when the engine has it. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    while (this.sending) await this.sending;
    if (!this.pending || !this.editor) return;
    this.sending = this.sendTyped();
    await this.sending;
    return this.flush();
  }

  private async sendTyped(): Promise<void> {
    this.pending = false;
    const { base } = this;
    const text = this.editor!.state.doc.toString();
    const send = () => this.studio.engine.send('text', { text, revision: base.revision, ...(this.file ? { file: this.file } : {}) });
    let reply = await send();
    const { scene } = this.state;
    // Something else than the text has changed, the solver perhaps: that is no reason to lose a keystroke.
    if (reply.conflict && scene && documentOf(scene) === base.document && this.file === null && scene.text === base.text) {
      base.revision = scene.revision;
      reply = await send();
    }
    this.sending = null;
    if (base !== this.base) return;  // another text has come meanwhile
    if (reply.ok) Object.assign(base, { revision: Number(reply.revision ?? 0), text });
    if (this.pending) return;
    if (reply.conflict) {
      this.studio.store.toast('warning', 'The scene was changed elsewhere at the same moment; your last keystrokes were not taken.');
      this.fromScene();
    } else this.setProblems(reply.problems ?? reply.errors ?? []);
  }

  private history(what: 'undo' | 'redo'): boolean {
    void this.flush().then(() => (what === 'undo' ? this.actions.undo() : this.actions.redo()));
    return true;
  }

  private setProblems(problems: Problem[]): void {
    const editor = this.editor;
    if (!editor) return;
    this.problems = problems;
    const doc = editor.state.doc;
    const file = this.state.scene?.file;
    const marks: Diagnostic[] = [];
    for (const p of problems) {
      if (p.line < 1 || p.line > doc.lines || !isHere(p.file, this.file, file)) continue;
      const line = doc.line(p.line);
      const from = Math.min(line.from + Math.max(0, p.column - 1), line.to);
      const to = Math.min(doc.length, Math.max(from + Math.max(1, p.length), from));
      marks.push({ from, to, severity: p.severity === 'note' ? 'info' : p.severity, message: p.message + (p.hint ? `\n${p.hint}` : '') });
    }
    marks.sort((a, b) => a.from - b.from);
    editor.dispatch(setDiagnostics(editor.state, marks));
    window.dispatchEvent(new CustomEvent('studio-problems', { detail: problems }));
    this.requestUpdate();
  }

  private async complete(context: CompletionContext): Promise<CompletionResult | null> {
    const word = context.matchBefore(/[\p{L}_][\p{L}\d_.[\]-]*/u);
    if (!word && !context.explicit) return null;
    await this.flush();
    const line = context.state.doc.lineAt(context.pos);
    const reply = await this.studio.engine.send('complete', { line: line.number, column: context.pos - line.from + 1 });
    const items = (reply.items as CompletionItem[] | undefined) ?? [];
    if (!reply.ok || items.length === 0) return null;
    const types: Record<string, string> = { block: 'keyword', keyword: 'property', option: 'enum', object: 'class', function: 'function', parameter: 'variable', constant: 'constant' };
    return {
      from: word ? word.from : context.pos,
      options: items.map((i) => ({ label: i.label, detail: i.detail, type: types[i.kind ?? ''] ?? i.kind, apply: i.insert ?? i.label })),
      validFor: /^[\p{L}\d_.[\]-]*$/u,
    };
  }

  /** Shows the block of what was selected, without taking the keyboard. */
  private reveal(): void {
    const name = this.state.selection[this.state.selection.length - 1];
    const thing = name ? (findBody(this.state.scene, name) ?? findJoint(this.state.scene, name)) : undefined;
    const file = this.state.scene?.file;
    this.unrevealed = !!name && !thing;
    if (thing && thing.line > 0 && (thing.file && thing.file !== file ? thing.file : null) === this.file && !this.editor?.hasFocus) this.goTo(thing.line, 1, false);
  }

  private goTo(line: number, column: number, focus: boolean): void {
    const editor = this.editor;
    if (!editor || line < 1 || line > editor.state.doc.lines) return;
    const at = editor.state.doc.line(line);
    const anchor = Math.min(at.from + column - 1, at.to);
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    if (focus) editor.focus();
  }

  override render() {
    const { scene } = this.state;
    const files = scene?.files ?? [];
    const tab = (file: string | null, label: string, dirty: boolean) => html`<button role="tab" class=${this.state.textFile === file ? 'on' : ''}
      data-file=${file ?? ''} title=${file ?? scene?.file ?? ''} @click=${() => this.studio.store.set({ textFile: file })}>${dirty ? html`<i class="dot"></i>` : nothing}${label}</button>`;
    return html`${files.length ? html`<div class="files" role="tablist" aria-label="Files of this scene">${tab(null, (scene!.file || scene!.name).split('/').pop()!, false)}${files.map((f) => tab(f.file, f.file, f.dirty))}</div>` : nothing}
      <div class="editor" style="display:contents"></div>
      ${this.problems.length ? html`<div class="problems">${this.problems.slice(0, 30).map((p) => html`
        <div class="problem" @click=${() => this.actions.goTo(p.line, p.column, p.file)}>
          <span class="sev-${p.severity}">●</span><span class="at">${isHere(p.file, null, scene?.file) ? '' : `${p.file} `}${p.line > 0 ? `${p.line}:${p.column}` : ''}</span>
          <span>${p.message}${p.hint ? html` <span class="hint">${p.hint}</span>` : nothing}</span></div>`)}</div>` : nothing}`;
  }
}
customElements.define('studio-text', TextPanel);
