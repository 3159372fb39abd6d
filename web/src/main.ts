import type { Engine } from './engine/engine';
import { SocketEngine } from './engine/socket_engine';
import { takeToken } from './engine/token';
import { App } from './panels/app';
import { Session } from './session';
import { listenToKeys } from './state/keys';
import { Store } from './state/store';
import { provide, Studio } from './studio';
import { listenToDrops } from './util/drops';
import { installHook } from './util/hook';

async function makeEngine(): Promise<Engine> {
  // Only in the development server: the built page has no second engine in it.
  if (import.meta.env.DEV && location.search.includes('mock')) {
    const { MockEngine } = await import('./engine/mock_engine');
    return new MockEngine();
  }
  return new SocketEngine(new URL('./', location.href), takeToken(location, history, sessionStorage));
}

const engine = await makeEngine();
const studio = new Studio(new Store(), engine);
provide(studio);
const session = new Session(studio);
installHook(studio, session);
// Only now: the element stands in the page already and makes all panels, which need the studio.
customElements.define('studio-app', App);
engine.start(session);
listenToKeys(studio, window);
listenToDrops(studio, document.body);
window.addEventListener('beforeunload', (e) => {
  if (studio.store.state.scene?.dirty) e.preventDefault();
});
