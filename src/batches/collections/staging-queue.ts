import { newId } from '../../base/lib/ids.ts';
import { OneByOne } from '../../base/lib/one-by-one.ts';
import type { BatchStore } from '../stored/batch-store.ts';
import type { ItemText } from '../stored/read-item.ts';

/** The size of one transaction. Other writers wait a few milliseconds for it. */
const MAX_ITEMS = 100;
const MAX_CHARACTERS = 256 * 1024;

/** Writes the items of new batches in pieces. All creations together write one piece at a time. */
export class StagingQueue {
  readonly #store: Pick<BatchStore, 'stageItems'>;
  readonly #writes = new OneByOne();

  constructor(store: Pick<BatchStore, 'stageItems'>) {
    this.#store = store;
  }

  async stage(sequence: number, items: readonly ItemText[]): Promise<void> {
    for (let first = 0; first < items.length; ) {
      const piece = pieceFrom(items, first);
      await this.#writes.run(() => this.#store.stageItems(sequence, first, piece.map(withRequestId)));
      first += piece.length;
    }
  }
}

const withRequestId = (item: ItemText) => ({ ...item, requestId: newId('req_') });

function pieceFrom(items: readonly ItemText[], first: number): readonly ItemText[] {
  let characters = 0;
  let end = first;
  while (end < items.length && end - first < MAX_ITEMS && characters < MAX_CHARACTERS)
    characters += items[end++]!.params.length;
  return items.slice(first, end);
}
