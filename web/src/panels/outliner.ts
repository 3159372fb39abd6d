// The tree of what the scene has, by the blocks of its text, with a search over names and kinds.
import { html, nothing, type TemplateResult } from 'lit';
import type { OutlineNode, SceneEvent, Vec3 } from '../engine/messages';
import { findBody } from '../state/names';
import { blockIcon } from './icons';
import { Panel } from './panel';

/** Rows beyond this are not drawn: a list of ten thousand serves nobody, the search does. */
const MOST_ROWS = 600;

const skeleton = (name: string) => name.replace(/\[[^\]]*\]/g, '[]');
const css = (c: Vec3) => `rgb(${c.map((x) => Math.round(255 * Math.pow(Math.max(0, Math.min(1, x)), 1 / 2.2))).join(' ')})`;

interface Row {
  node: OutlineNode;
  depth: number;
  key: string;
}

export class Outliner extends Panel {
  private query = '';
  /** Rows that were folded or unfolded by hand. */
  private closed = new Set<string>();
  private opened = new Set<string>();

  constructor() {
    super('scene', 'selection');
  }

  private rows(): { rows: Row[]; more: number } {
    const rows: Row[] = [];
    let more = 0;
    const q = this.query.trim().toLowerCase();
    const fits = (n: OutlineNode) => !q || n.name.toLowerCase().includes(q) || n.kind.toLowerCase().includes(q);
    const below = (n: OutlineNode): boolean => fits(n) || (n.children ?? []).some(below);
    const walk = (nodes: OutlineNode[], depth: number, path: string) => {
      for (const node of nodes) {
        const key = `${path}/${node.kind}:${node.name}`;
        if (!below(node)) continue;
        if (rows.length >= MOST_ROWS) { more++; continue; }
        rows.push({ node, depth, key });
        if (node.children?.length && (q || !this.isClosed(key, node))) walk(node.children, depth + 1, key);
      }
    };
    walk(this.withInstances(this.state.scene?.groups ?? [], false), 0, '');
    return { rows, more };
  }

  /** Long rows of equal things are folded until somebody asks. */
  private isClosed(key: string, node: OutlineNode): boolean {
    return ((node.path ?? '').endsWith(' …') && (node.children?.length ?? 0) > 6) || (node.path ?? '').endsWith('.') ? !this.opened.has(key) : this.closed.has(key);
  }

  private fold(key: string, node: OutlineNode): void {
    if (this.isClosed(key, node)) { this.closed.delete(key); this.opened.add(key); } else { this.opened.delete(key); this.closed.add(key); }
    this.requestUpdate();
  }

  /** A block inside a repeat or a group stands for many things: they are listed below it, by its line. */
  private withInstances(nodes: OutlineNode[], repeated: boolean): OutlineNode[] {
    return nodes.map((node) => {
      const again = repeated || node.kind === 'repeat' || node.kind === 'group';
      if (node.kind === 'place') return this.placed(node);
      if (node.children?.length) return { ...node, children: this.withInstances(node.children, again) };
      // A constraint may have no name in the text; the engine calls it by its two solids.
      if (!repeated && !node.name) {
        const [made] = this.byLine.get(`${node.file ?? ''}:${node.line}`) ?? [];
        return made ? { ...node, name: made, path: made } : node;
      }
      if (!repeated) return node;
      const made = (this.byLine.get(`${node.file ?? ''}:${node.line}`) ?? []).filter((name) => skeleton(name).endsWith(skeleton(node.name)));
      return made.length > 1 ? { ...node, path: `${node.path ?? node.name} …`, children: made.map((name) => ({ kind: node.kind, name, path: name, line: node.line })) } : node;
    });
  }

  /** A placed group: one row per placement, its solids and joints below. */
  private placed(node: OutlineNode): OutlineNode {
    const scene = this.state.scene!;
    const shape = skeleton(node.path ?? node.name);
    const made = new Map<string, OutlineNode[]>();
    const take = (kind: string, list: { name: string; line: number; file?: string }[]) => list.forEach((thing) => {
      const dot = thing.name.indexOf('.', shape.split('.').slice(0, -1).join('.').length);
      if (dot < 0 || skeleton(thing.name.slice(0, dot)) !== shape) return;
      const name = thing.name.slice(0, dot);
      const children = made.get(name) ?? [];
      children.push({ kind, name: thing.name.slice(dot + 1), path: thing.name, line: thing.line, file: thing.file });
      made.set(name, children);
    });
    take('object', scene.bodies);
    take('joint', scene.joints);
    if (made.size === 0) return node;
    if (made.size === 1) return { ...node, name: `${node.path ?? node.name}`, children: [...made.values()][0] };
    return { ...node, path: `${node.path} …`, name: shape.replace('[]', '[…]'), children: [...made].map(([name, children]) => ({ kind: 'place', name, path: `${name}.`, line: node.line, children })) };
  }

  private get byLine(): Map<string, string[]> {
    const scene = this.state.scene!;
    if (this.lines?.scene === scene) return this.lines.map;
    const map = new Map<string, string[]>();
    for (const thing of [...scene.bodies, ...scene.joints]) {
      const key = `${thing.file ?? ''}:${thing.line}`;
      const list = map.get(key);
      if (list) list.push(thing.name);
      else map.set(key, [thing.name]);
    }
    this.lines = { scene, map };
    return map;
  }
  private lines: { scene: SceneEvent; map: Map<string, string[]> } | null = null;

  private choose(node: OutlineNode, e: MouseEvent): void {
    const path = node.path ?? node.name;
    const all = (n: OutlineNode): string[] => (n.path?.endsWith(' …') || n.path?.endsWith('.') ? n.children!.flatMap(all) : [n.path ?? n.name]);
    // A row that stands for many selects its solids.
    if (path.endsWith(' …') || path.endsWith('.')) return this.studio.store.set({ selection: all(node).filter((n) => findBody(this.state.scene, n) || node.kind !== 'place').slice(0, 500) });
    this.actions.select(path, e.ctrlKey || e.metaKey);
  }

  override updated(): void {
    this.querySelector('.row.on')?.scrollIntoView({ block: 'nearest' });
  }

  private row({ node, depth, key }: Row): TemplateResult {
    const path = node.path ?? node.name;
    const body = findBody(this.state.scene, path);
    const kids = node.children?.length ?? 0;
    const folded = kids > 0 && !this.query && this.isClosed(key, node);
    const chosen = this.state.selection.includes(path) || (folded && node.children!.some((c) => this.state.selection.includes(c.path ?? c.name)));
    const what = body && body.kind !== 'dynamic' ? body.kind : node.kind === 'object' ? '' : node.kind;
    return html`<div class="row ${chosen ? 'on' : ''}" role="treeitem" style="--depth:${depth}" data-path=${path}
        @click=${(e: MouseEvent) => this.choose(node, e)} @dblclick=${() => this.actions.frameSelection()}
        @pointerenter=${() => this.studio.store.set({ hover: body ? path : null })} @pointerleave=${() => this.studio.store.set({ hover: null })}>
      <span class="fold" @click=${(e: Event) => { e.stopPropagation(); this.fold(key, node); }}>${kids ? (folded ? '▸' : '▾') : ''}</span>
      ${body ? html`<span class="swatch" style="background:${css(body.color)}"></span>` : blockIcon(node.kind)}
      <span class="name">${node.name || node.kind}</span>
      <span class="what">${what}${kids && node.kind !== 'repeat' ? ` ${kids}` : ''}</span>
    </div>`;
  }

  override render() {
    const { rows, more } = this.rows();
    return html`
      <div class="search"><input type="search" placeholder="Search" aria-label="Search" .value=${this.query}
        @input=${(e: Event) => { this.query = (e.target as HTMLInputElement).value; this.requestUpdate(); }} /></div>
      <div class="tree" role="tree">
        ${rows.map((r) => this.row(r))}
        ${more ? html`<div class="row dim">and ${more} more: search for them</div>` : nothing}
      </div>`;
  }
}
customElements.define('studio-outliner', Outliner);
