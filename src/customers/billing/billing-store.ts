import type { SaveOutcome } from '../../money/accounts/account-store.ts';
import type { BillingKind, BillingRecord } from './billing-record.ts';

/** The storage port for the records of billing. Money itself is in the ledger only. */
export interface BillingStore {
  /** Adds a record. Returns false if there is one with this id. */
  addBilling(record: BillingRecord): Promise<boolean>;
  /** Writes the record if the stored version equals its version, and increments the version. */
  saveBilling(record: BillingRecord): Promise<SaveOutcome>;
  findBilling<Kind extends BillingKind>(kind: Kind, id: string): Promise<BillingRecord<Kind> | undefined>;
  findBillingByReference<Kind extends BillingKind>(
    kind: Kind,
    reference: string,
  ): Promise<BillingRecord<Kind> | undefined>;
  /** Lists the records of a kind in the order of their ids. */
  listBilling<Kind extends BillingKind>(
    kind: Kind,
    page: { limit: number; after?: string | undefined },
  ): Promise<BillingRecord<Kind>[]>;
  /** Returns the records whose time has come, the earliest first. */
  dueBilling<Kind extends BillingKind>(
    kind: Kind,
    page: { now: number; limit: number },
  ): Promise<BillingRecord<Kind>[]>;
  /** Deletes records that no worker waits for. Returns their number. */
  sweepBilling(kind: BillingKind, createdBefore: number): Promise<number>;
}
