import type {
  ArchivedEntries,
  LedgerCare,
  Quarantine,
  RepairedAccount,
  RepairOrder,
  VerifiedAccount,
} from '../../../money/ledger/ledger-care.ts';
import type { EntryPage, LedgerStore, UsageQuestion } from '../../../money/ledger/ledger-store.ts';
import { PostgresCharges, type PostgresChargesParts } from './postgres-charges.ts';

/** Reads entries and their sums. */
export type LedgerReads = Pick<LedgerStore, 'listEntries' | 'findEntry' | 'sumUsage'>;

export type PostgresLedgerParts = PostgresChargesParts & { care: LedgerCare; reads: LedgerReads };

/** The ledger of an installation of several nodes. */
export class PostgresLedger extends PostgresCharges implements LedgerStore {
  readonly #care: LedgerCare;
  readonly #reads: LedgerReads;

  constructor({ care, reads, ...parts }: PostgresLedgerParts) {
    super(parts);
    this.#care = care;
    this.#reads = reads;
  }

  listEntries(page: EntryPage) {
    return this.#reads.listEntries(page);
  }

  findEntry(id: string) {
    return this.#reads.findEntry(id);
  }

  sumUsage(question: UsageQuestion) {
    return this.#reads.sumUsage(question);
  }

  ledgerAccounts(page: { limit: number; after?: string | undefined }): Promise<string[]> {
    return this.#care.ledgerAccounts(page);
  }

  verifyAccount(accountId: string, upTo?: number): Promise<VerifiedAccount> {
    return this.#care.verifyAccount(accountId, upTo);
  }

  lastEntry() {
    return this.#care.lastEntry();
  }

  verifyStore(counted: { upTo: number; entries: number }) {
    return this.#care.verifyStore(counted);
  }

  quarantineOf(accountId: string) {
    return this.#care.quarantineOf(accountId);
  }

  quarantined(): readonly Quarantine[] {
    return this.#care.quarantined();
  }

  onQuarantine(listener: (quarantine: Quarantine) => void): void {
    this.#care.onQuarantine(listener);
  }

  repairAccount(order: RepairOrder): Promise<RepairedAccount | undefined> {
    return this.#care.repairAccount(order);
  }

  repairStore(): Promise<{ removedHolds: number }> {
    return this.#care.repairStore();
  }

  archiveEntries(order: { before: number }): Promise<ArchivedEntries | undefined> {
    return this.#care.archiveEntries(order);
  }
}
