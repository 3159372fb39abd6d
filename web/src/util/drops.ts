// A scene file dropped anywhere on the page is opened.
import type { Studio } from '../studio';

export function listenToDrops(studio: Studio, target: HTMLElement): void {
  const mark = (on: boolean) => target.querySelector('studio-view')?.classList.toggle('drop-here', on);
  target.addEventListener('dragover', (e) => {
    if (!e.dataTransfer?.types.includes('Files')) return;
    e.preventDefault();
    mark(true);
  });
  target.addEventListener('dragleave', (e) => { if (!e.relatedTarget) mark(false); });
  target.addEventListener('drop', (e) => {
    mark(false);
    const file = e.dataTransfer?.files[0];
    if (!file) return;
    e.preventDefault();
    void studio.actions.openFile(file);
  });
}
