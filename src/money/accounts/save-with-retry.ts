import { Refusal } from '../../base/errors/refusal.ts';
import type { SaveOutcome } from './account-store.ts';

const MAX_ATTEMPTS = 5;

type Update<Item> = {
  /** The noun for error messages: "account", "API key". */
  noun: string;
  read: () => Promise<Item | undefined>;
  /** Returns the changed item, or the same object if nothing changes. */
  change: (item: Item) => Item | Refusal;
  save: (after: Item, before: Item) => Promise<SaveOutcome>;
};

/**
 * Reads, changes and saves an item.
 * It starts again if another writer was faster, and refuses the change after `MAX_ATTEMPTS`.
 */
export async function saveWithRetry<Item extends { version: number }>(
  update: Update<Item>,
): Promise<Item | Refusal> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await update.read();
    if (before === undefined)
      return new Refusal('not_found', { message: `There is no such ${update.noun}.` });
    const after = update.change(before);
    if (after instanceof Refusal || after === before) return after;
    if ((await update.save(after, before)) === 'saved') return { ...after, version: before.version + 1 };
  }
  return new Refusal('conflict');
}
