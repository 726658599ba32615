import type { Quarantine } from '../../money/ledger/ledger-care.ts';

/** The quarantined accounts, in memory. */
export class QuarantineList {
  protected byAccount = new Map<string, Quarantine>();
  readonly #listeners: ((quarantine: Quarantine) => void)[] = [];

  get all(): readonly Quarantine[] {
    return [...this.byAccount.values()];
  }

  of(accountId: string): Quarantine | undefined {
    return this.byAccount.size === 0 ? undefined : this.byAccount.get(accountId);
  }

  /** Calls a listener for each new quarantine. */
  listen(listener: (quarantine: Quarantine) => void): void {
    this.#listeners.push(listener);
  }

  protected notify(quarantine: Quarantine): void {
    for (const listener of this.#listeners) listener(quarantine);
  }
}

export const unreadableReason = (entryId: string): string =>
  `The entry ${entryId} of its ledger cannot be read.`;
