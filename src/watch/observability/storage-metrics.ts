import { Counter } from './counter.ts';
import type { Metric } from './metric.ts';
import { single } from './read-metric.ts';

type Space = { readonly isLow: boolean; readonly free: { onDisk: number; inside: number } | undefined };

/** The metrics of free storage, and of responses and batches that did not fit. */
export class StorageMetrics {
  readonly #notStored = new Counter({
    name: 'tollgate_not_stored_total',
    help: 'Responses that were answered but not stored, and batches that were refused, by the exceeded limit.',
    labels: ['what', 'reason'],
  });
  readonly all: readonly Metric[];

  constructor(space: Space) {
    this.all = [
      this.#notStored,
      single(
        {
          name: 'tollgate_store_free_bytes',
          help: 'Bytes available to the store, on its disk and inside its file.',
        },
        () => space.free && space.free.onDisk + space.free.inside,
      ),
      single(
        {
          name: 'tollgate_store_space_low',
          help: '1 while the store accepts no new responses or batches because free space is low.',
        },
        () => (space.isLow ? 1 : 0),
      ),
    ];
  }

  notStored(what: 'response' | 'batch', reason: 'quota' | 'space'): void {
    this.#notStored.add([what, reason]);
  }
}
