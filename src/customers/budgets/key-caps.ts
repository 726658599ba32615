import type { Clock } from '../../base/lib/clock.ts';
import type { Page } from '../../money/accounts/account-store.ts';
import type { BudgetPage, BudgetStore, CappedKey } from '../../money/budgets/budget-store.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';

const PREFIX = 'bud_';

/** Returns the id of a key's cap among the budgets. */
export const capIdOf = (keyId: string): string => PREFIX + keyId;

/** Returns the key of a cap, or undefined for the id of a budget. */
export const keyIdOfCap = (id: string): string | undefined =>
  id.startsWith(`${PREFIX}key_`) ? id.slice(PREFIX.length) : undefined;

/** A key's monthly cap, with what counts against it at a time. */
export type CountedCap = { cap: CappedKey; spentMicrocredits: number; at: number };

export type KeyCapsParts = { store: BudgetStore; ledger: LedgerStore; clock: Clock };

/** The monthly caps of keys, as lists of budgets show them. */
export class KeyCaps {
  readonly #parts: KeyCapsParts;

  constructor(parts: KeyCapsParts) {
    this.#parts = parts;
  }

  /** Finds a cap by the id that it has among the budgets. */
  async find(id: string): Promise<CountedCap | undefined> {
    const keyId = keyIdOfCap(id);
    if (keyId === undefined) return undefined;
    const { items } = await this.#parts.store.listCaps({ id: keyId, limit: 1 });
    return items[0] && this.#count(items[0]);
  }

  /** Lists the caps that a page of budgets asks for, after the one with the id `after`. */
  async list({ accountId, scope, target, after, limit }: BudgetPage): Promise<Page<CountedCap>> {
    if (scope !== undefined && scope !== 'key') return { items: [], hasMore: false };
    const lastKey = after === undefined ? undefined : keyIdOfCap(after);
    const { items, hasMore } = await this.#parts.store.listCaps({
      accountId,
      id: target,
      after: lastKey,
      limit,
    });
    return { items: await Promise.all(items.map((cap) => this.#count(cap))), hasMore };
  }

  async #count(cap: CappedKey): Promise<CountedCap> {
    const { ledger, clock } = this.#parts;
    const at = clock.now();
    return { cap, spentMicrocredits: await ledger.keySpent(cap.accountId, { keyId: cap.id, at }), at };
  }
}
