// Ties a lit element to parts of the store: it draws itself again after a change of one of them.
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Key, Store } from './store';

export class Watch implements ReactiveController {
  private end: (() => void) | null = null;

  constructor(private host: ReactiveControllerHost, private store: Store, private keys: readonly Key[]) {
    host.addController(this);
  }

  hostConnected(): void {
    this.end = this.store.on(this.keys, () => this.host.requestUpdate());
  }

  hostDisconnected(): void {
    this.end?.();
  }
}
