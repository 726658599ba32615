import type { BillingKind, BillingRecord } from '../../../customers/billing/billing-record.ts';
import type { BillingStore } from '../../../customers/billing/billing-store.ts';
import type { SaveOutcome } from '../../../money/accounts/account-store.ts';
import { billingRecordOf, billingSql, billingValues } from '../../billing-sql.ts';
import type { Queries } from '../database.ts';
import { lookups } from '../lookups.ts';

const sql = billingSql((number) => `$${number}`);

/** Records of billing, for all nodes. */
export class PostgresBilling implements BillingStore {
  readonly #queries: Queries;
  readonly #lookups: Pick<Queries, 'first' | 'all'>;

  constructor(queries: Queries) {
    this.#queries = queries;
    this.#lookups = lookups(queries);
  }

  async addBilling(record: BillingRecord): Promise<boolean> {
    return (await this.#queries.run(sql.add, billingValues(record))) > 0;
  }

  async saveBilling(record: BillingRecord): Promise<SaveOutcome> {
    return (await this.#queries.run(sql.save, billingValues(record))) > 0 ? 'saved' : 'conflict';
  }

  async findBilling<Kind extends BillingKind>(kind: Kind, id: string) {
    const row = await this.#lookups.first(sql.find, [kind, id]);
    return row && billingRecordOf<Kind>(row);
  }

  async findBillingByReference<Kind extends BillingKind>(kind: Kind, reference: string) {
    const row = await this.#lookups.first(sql.findByReference, [kind, reference]);
    return row && billingRecordOf<Kind>(row);
  }

  listBilling<Kind extends BillingKind>(
    kind: Kind,
    { limit, after = '' }: { limit: number; after?: string | undefined },
  ): Promise<BillingRecord<Kind>[]> {
    return this.#all(sql.list, [kind, after, limit]);
  }

  dueBilling<Kind extends BillingKind>(
    kind: Kind,
    { now, limit }: { now: number; limit: number },
  ): Promise<BillingRecord<Kind>[]> {
    return this.#all(sql.due, [kind, now, limit]);
  }

  sweepBilling(kind: BillingKind, createdBefore: number): Promise<number> {
    return this.#queries.run(sql.sweep, [kind, createdBefore]);
  }

  async #all<Kind extends BillingKind>(text: string, values: (string | number)[]) {
    return (await this.#lookups.all(text, values)).map((row) => billingRecordOf<Kind>(row));
  }
}
