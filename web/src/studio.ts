// What the panels share: store, engine, the view once it is there, and the actions on them.
import type { Engine } from './engine/engine';
import type { Store } from './state/store';
import type { Viewport } from './view/viewport';
import { Latency } from './util/latency';
import { Actions } from './state/actions';
import { Sources } from './state/sources';

export class Studio {
  readonly actions: Actions;
  readonly latency = new Latency();
  readonly sources: Sources;
  view: Viewport | null = null;
  /** Sends what somebody is typing, before anything else is done with the text. */
  settleText: () => Promise<void> = () => Promise.resolve();

  constructor(readonly store: Store, readonly engine: Engine) {
    this.actions = new Actions(this);
    this.sources = new Sources(this);
  }
}

let current: Studio | null = null;

/** There is one studio per page; elements are made by the parser and cannot be given it. */
export function provide(studio: Studio): void {
  current = studio;
}

export function use(): Studio {
  if (!current) throw new Error('the studio is not set up yet');
  return current;
}
