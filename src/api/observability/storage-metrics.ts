import { Counter, Gauge, type Metric } from './metrics.ts';

type Space = { readonly isLow: boolean; readonly free: { onDisk: number; inside: number } | undefined };

/** What is left for the store, and what it had no room for. */
export class StorageMetrics {
  readonly #refused = new Counter({
    name: 'tollgate_not_stored_total',
    help: 'Responses that were answered but not stored, and batches that were refused, by the bound that was reached.',
    labels: ['what', 'reason'],
  });
  readonly all: readonly Metric[];

  constructor(space: Space) {
    const single = (name: string, help: string, read: () => number | undefined) =>
      new Gauge({ name, help }, () => {
        const value = read();
        return value === undefined ? [] : [[[], value]];
      });
    this.all = [
      this.#refused,
      single(
        'tollgate_store_free_bytes',
        'Free bytes for the store, on its disk and inside its file.',
        () => space.free && space.free.onDisk + space.free.inside,
      ),
      single(
        'tollgate_store_space_low',
        '1 while nothing new is stored because too little space is free.',
        () => (space.isLow ? 1 : 0),
      ),
    ];
  }

  notStored(what: 'response' | 'batch', reason: 'quota' | 'space'): void {
    this.#refused.add([what, reason]);
  }
}
