import type { BillingBodies, BillingKind, BillingRecord } from './billing-record.ts';
import type { BillingStore } from './billing-store.ts';
import { untilSaved } from './until-saved.ts';

export type RecordChange<Kind extends BillingKind> = Partial<
  Pick<BillingRecord<Kind>, 'reference' | 'dueAt'>
> & { body?: Partial<BillingBodies[Kind]> };

type RecordKey<Kind extends BillingKind> = { store: BillingStore; kind: Kind; id: string };

/**
 * Changes a record, and starts again if another writer was faster. `change` returns undefined to leave it.
 * Returns the saved record, or undefined if nothing was saved.
 */
export const changeRecord = <Kind extends BillingKind>(
  { store, kind, id }: RecordKey<Kind>,
  change: (record: BillingRecord<Kind>) => RecordChange<Kind> | undefined,
): Promise<BillingRecord<Kind> | undefined> =>
  untilSaved(`the record ${kind} ${id}`, async () => {
    const record = await store.findBilling(kind, id);
    const wanted = record && change(record);
    if (!record || !wanted) return undefined;
    const changed = withChange(record, wanted);
    if ((await store.saveBilling(changed)) === 'conflict') return 'conflict';
    return { ...changed, version: changed.version + 1 };
  });

/** Returns the record with a change. */
export const withChange = <Kind extends BillingKind>(
  record: BillingRecord<Kind>,
  { body, ...rest }: RecordChange<Kind>,
): BillingRecord<Kind> => ({ ...record, ...rest, body: { ...record.body, ...body } });
