import type { ClaimedItem } from '../batch.ts';
import type { ItemEnd } from '../batch-runner.ts';
import type { RunningBatch } from '../batch-store.ts';
import type { Admitted } from './admitted.ts';

/** An item on its way to a provider, with one, or on its way back. It ends once; whatever is said to it afterwards does nothing. */
export class ItemAway {
  readonly item: ClaimedItem;
  readonly batch: RunningBatch;
  readonly #ended = Promise.withResolvers<ItemEnd>();
  admitted: Admitted | undefined;
  isOver = false;

  constructor(item: ClaimedItem, batch: RunningBatch) {
    this.item = item;
    this.batch = batch;
  }

  /** Clients' own names of items are nobody's business upstream. */
  get customId(): string {
    return `item-${this.item.lease.number}`;
  }

  get ended(): Promise<ItemEnd> {
    return this.#ended.promise;
  }

  end(ended: ItemEnd): void {
    this.isOver = true;
    this.#ended.resolve(ended);
  }

  /** Nothing of its text stays in memory while a provider has it. */
  forgetParams(): void {
    this.item.params = '';
  }
}
