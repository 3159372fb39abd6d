// Every key, once: the handler and the help page read the same table.
import type { Studio } from '../studio';
import { findBody } from './names';

export interface Binding {
  /** As shown: `Ctrl+S`, `Space`, `?`. Mouse gestures have no `run`. */
  keys: string[];
  group: 'Time' | 'View' | 'Tools' | 'Edit' | 'Mouse';
  text: string;
  run?: (s: Studio) => void;
  /** Also while typing in a field or in the text. */
  anywhere?: boolean;
}

const tool = (t: Studio['store']['state']['tool']) => (s: Studio) => s.store.set({ tool: t, jointPicks: [] });

export const BINDINGS: Binding[] = [
  { keys: ['Space'], group: 'Time', text: 'play or pause', run: (s) => s.actions.playPause() },
  { keys: ['→'], group: 'Time', text: 'one frame on', run: (s) => s.actions.step(1) },
  { keys: ['←'], group: 'Time', text: 'one frame back', run: (s) => s.actions.step(-1) },
  { keys: ['Shift+→'], group: 'Time', text: 'ten frames on', run: (s) => s.actions.step(10) },
  { keys: ['Shift+←'], group: 'Time', text: 'ten frames back', run: (s) => s.actions.step(-10) },
  { keys: ['Backspace'], group: 'Time', text: 'to the beginning', run: (s) => s.actions.reset() },
  { keys: ['+', '='], group: 'Time', text: 'faster', run: (s) => s.actions.faster(1) },
  { keys: ['−', '-'], group: 'Time', text: 'slower', run: (s) => s.actions.faster(-1) },

  { keys: ['Left drag'], group: 'Mouse', text: 'orbit' },
  { keys: ['Right drag'], group: 'Mouse', text: 'pan' },
  { keys: ['Wheel'], group: 'Mouse', text: 'zoom' },
  { keys: ['Click'], group: 'Mouse', text: 'select' },
  { keys: ['Double click'], group: 'Mouse', text: 'select and frame' },
  { keys: ['Ctrl+click'], group: 'Mouse', text: 'add to the selection' },
  { keys: ['Ctrl+drag'], group: 'Mouse', text: 'pull the point under the mouse' },
  { keys: ['Ctrl+right drag'], group: 'Mouse', text: 'turn a solid' },
  { keys: ['Shift+click'], group: 'Mouse', text: 'pin a point, or take the pin away' },
  { keys: ['Finger'], group: 'Mouse', text: 'orbit; two pan and zoom; rest on a solid, then pull it' },

  { keys: ['F'], group: 'View', text: 'frame the selection, or everything', run: (s) => s.actions.frameSelection() },
  { keys: ['1'], group: 'View', text: 'from the front', run: (s) => s.view?.lookFrom([0, 0, 1]) },
  { keys: ['3'], group: 'View', text: 'from the right', run: (s) => s.view?.lookFrom([1, 0, 0]) },
  { keys: ['7'], group: 'View', text: 'from above', run: (s) => s.view?.lookFrom([0, 1, 0]) },
  { keys: ['G'], group: 'View', text: 'joints on or off', run: (s) => s.store.set({ showJoints: !s.store.state.showJoints }) },
  { keys: ['T'], group: 'View', text: 'trail of the selected solid', run: (s) => s.store.state.selection.filter((n) => findBody(s.store.state.scene, n)).forEach((n) => s.actions.toggleTrail(n)) },
  { keys: ['Shift+T'], group: 'View', text: 'trail of the point under the mouse', run: (s) => s.actions.trailHere() },
  { keys: ['P'], group: 'View', text: 'plots', run: (s) => s.store.set({ plotsOpen: !s.store.state.plotsOpen }) },
  { keys: ['Esc'], group: 'View', text: 'close, or clear the selection', run: (s) => s.actions.escape(), anywhere: true },
  { keys: ['?'], group: 'View', text: 'all keys', run: (s) => s.store.set({ help: !s.store.state.help }) },

  { keys: ['Q'], group: 'Tools', text: 'select', run: tool('select') },
  { keys: ['W'], group: 'Tools', text: 'move', run: tool('move') },
  { keys: ['E'], group: 'Tools', text: 'turn', run: tool('turn') },
  { keys: ['R'], group: 'Tools', text: 'scale', run: tool('scale') },
  { keys: ['A', 'Shift+A'], group: 'Tools', text: 'add a solid', run: (s) => s.store.set({ adding: !s.store.state.adding }) },
  { keys: ['J'], group: 'Tools', text: 'joint between two solids', run: tool('joint') },
  { keys: ['L'], group: 'Tools', text: 'axes of the world or of the solid', run: (s) => s.store.set({ space: s.store.state.space === 'world' ? 'local' : 'world' }) },
  { keys: ['N'], group: 'Tools', text: 'snapping on or off', run: (s) => s.store.set({ snap: !s.store.state.snap }) },

  { keys: ['Ctrl+Z'], group: 'Edit', text: 'undo', run: (s) => s.actions.undo(), anywhere: true },
  { keys: ['Ctrl+Shift+Z', 'Ctrl+Y'], group: 'Edit', text: 'redo', run: (s) => s.actions.redo(), anywhere: true },
  { keys: ['Ctrl+A'], group: 'Edit', text: 'select all solids', run: (s) => s.actions.selectAll() },
  { keys: ['Ctrl+C'], group: 'Edit', text: 'copy', run: (s) => void s.actions.copy() },
  { keys: ['Ctrl+V'], group: 'Edit', text: 'paste', run: (s) => void s.actions.paste() },
  { keys: ['Ctrl+D'], group: 'Edit', text: 'duplicate', run: (s) => void s.actions.duplicate() },
  { keys: ['Delete', 'X'], group: 'Edit', text: 'delete what is selected', run: (s) => s.actions.remove() },
  { keys: ['Ctrl+S'], group: 'Edit', text: 'save', run: (s) => void s.actions.save(), anywhere: true },
  { keys: ['Ctrl+O'], group: 'Edit', text: 'gallery of scenes', run: (s) => s.store.set({ gallery: true }), anywhere: true },
];

const NAMES: Record<string, string> = { ' ': 'Space', ArrowRight: '→', ArrowLeft: '←', Escape: 'Esc' };

/** The name that the table has for what was pressed. */
export function keyName(e: { key: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }): string {
  const key = NAMES[e.key] ?? (e.key.length === 1 ? e.key.toUpperCase() : e.key);
  const letter = /^[A-Z]$/.test(key) || key.length > 1 || key === '→' || key === '←';
  return (e.ctrlKey || e.metaKey ? 'Ctrl+' : '') + (e.shiftKey && letter ? 'Shift+' : '') + key;
}

export function findBinding(name: string): Binding | undefined {
  return BINDINGS.find((b) => b.run && b.keys.includes(name));
}

export function listenToKeys(studio: Studio, target: Window): void {
  target.addEventListener('keydown', (e) => {
    if (e.altKey || e.defaultPrevented) return;
    const binding = findBinding(keyName(e));
    if (!binding?.run) return;
    const at = e.target as HTMLElement | null;
    const typing = !!at?.closest?.('input:not([type=range]), textarea, select, .cm-editor');
    if (typing && !binding.anywhere) return;
    // In a field Esc and undo belong to the field first.
    if (typing && at?.closest('input') && binding.keys[0] !== 'Ctrl+S') return;
    // A focused button takes the space bar for itself, and then the scene would play too.
    if (at instanceof HTMLButtonElement && e.key === ' ') at.blur();
    e.preventDefault();
    binding.run(studio);
  });
}
