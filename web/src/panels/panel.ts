// Base of all panels: draws into the page itself, so that one style sheet serves all and tests find everything.
import { LitElement } from 'lit';
import type { Key } from '../state/store';
import { Watch } from '../state/watch';
import { use } from '../studio';

export abstract class Panel extends LitElement {
  protected readonly studio = use();

  constructor(...keys: Key[]) {
    super();
    if (keys.length) new Watch(this, this.studio.store, keys);
  }

  protected get state() {
    return this.studio.store.state;
  }
  protected get actions() {
    return this.studio.actions;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
