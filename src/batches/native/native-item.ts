import type { Admitted } from '../../inference/hold/admitted.ts';
import type { ClaimedItem } from '../stored/batch.ts';
import type { RunningBatch } from '../stored/batch-store.ts';
import type { ItemEnd } from '../stored/item-run.ts';

/** An item in the native lane. It ends once; later ends have no effect. */
export class NativeItem {
  readonly item: ClaimedItem;
  readonly batch: RunningBatch;
  readonly #ended = Promise.withResolvers<ItemEnd>();
  /** Undefined until the item has a hold. */
  admitted: Admitted | undefined;
  isOver = false;
  /** True if another node continues the item. */
  isGivenUp = false;

  constructor(item: ClaimedItem, batch: RunningBatch) {
    this.item = item;
    this.batch = batch;
  }

  get ended(): Promise<ItemEnd> {
    return this.#ended.promise;
  }

  end(ended: ItemEnd): void {
    this.isOver = true;
    this.#ended.resolve(ended);
  }

  /** Releases the body of the request while the item is at a provider. */
  forgetParams(): void {
    this.item.params = '';
  }
}
