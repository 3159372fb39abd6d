import { EditorView } from '@codemirror/view';

export const editorTheme = EditorView.theme({
  '&': { color: '#d9dde4', backgroundColor: '#15181c', height: '100%' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: '#eef3f9', padding: '6px 0' },
  '.cm-cursor': { borderLeftColor: '#eef3f9', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: '#15181c', color: '#535b67', border: 'none' },
  '.cm-activeLine': { backgroundColor: '#ffffff08' },
  '.cm-activeLineGutter': { backgroundColor: '#ffffff08', color: '#a9b1be' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: '#27425c !important' },
  '.cm-selectionMatch': { backgroundColor: '#3a414c80' },
  '.cm-matchingBracket': { backgroundColor: '#3a506680', outline: 'none' },
  '.cm-tooltip': { backgroundColor: '#23272e', border: '1px solid #3a414c', borderRadius: '6px', color: '#d9dde4' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: '#27425c', color: '#fff' },
  '.cm-tooltip-autocomplete ul': { fontFamily: 'var(--mono)', fontSize: '12px' },
  '.cm-completionDetail': { color: '#8f97a5', fontStyle: 'normal', marginLeft: '1em' },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--font)', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeft: '3px solid #ee6a6f' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid #eda95c' },
  '.cm-panels': { backgroundColor: '#1e2228', color: '#d9dde4' },
  '.cm-lint-marker': { width: '0.8em', height: '0.8em' },
}, { dark: true });
