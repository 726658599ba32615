import type { BillingRecord } from './billing-record.ts';
import { newRecord } from './new-record.ts';

/** Returns the record of an organization that receives no alerts of its own. */
export const noReceiver = (accountId: string, now: number): BillingRecord<'receiver'> =>
  newRecord({
    kind: 'receiver',
    id: accountId,
    accountId,
    createdAt: now,
    body: { addresses: [], confirmed: [], webhookUrl: null, secret: null, lowPercents: [], caps: true },
  });
