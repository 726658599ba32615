import type { BillingKind, BillingRecord } from './billing-record.ts';

type RecordDraft<Kind extends BillingKind> = Omit<BillingRecord<Kind>, 'reference' | 'dueAt' | 'version'> &
  Partial<Pick<BillingRecord<Kind>, 'reference' | 'dueAt'>>;

/** Returns the first version of a record. Without a time, no worker looks at it. */
export const newRecord = <Kind extends BillingKind>(draft: RecordDraft<Kind>): BillingRecord<Kind> => ({
  reference: null,
  dueAt: null,
  version: 1,
  ...draft,
});
