import { expect, test } from 'bun:test';
import type { BillingParts } from './billing-parts.ts';
import type { BillingRecord } from './billing-record.ts';
import { EventInbox } from './event-inbox.ts';
import { StripeFailure } from './stripe/stripe-failure.ts';

/** Returns an inbox, whose Stripe does not know the object while `isUnknown`. */
function openInbox() {
  const kept = new Map<string, BillingRecord>();
  const state = { isUnknown: true, reads: 0 };
  const parts = {
    store: {
      addBilling: async (record: BillingRecord) =>
        !kept.has(record.id) && kept.set(record.id, record).size > 0,
      findBilling: async (_kind: string, id: string) => kept.get(id),
      async saveBilling(record: BillingRecord) {
        kept.set(record.id, { ...record, version: record.version + 1 });
        return 'saved';
      },
    },
    stripe: {
      async get() {
        state.reads++;
        if (state.isUnknown) throw new StripeFailure({ status: 404, message: 'No such payment.' });
        return { id: 'pi_1', status: 'canceled', metadata: {}, currency: 'usd', amount_received: 0 };
      },
    },
    alerts: { raise() {} },
    clock: { now: () => 1_000 },
    report() {},
  } as unknown as BillingParts;
  const outcome = () => (kept.get('evt_1') as BillingRecord<'event'>).body.outcome;
  return { inbox: new EventInbox(parts), state, outcome };
}

test('only an event that has failed is processed again when Stripe repeats it', async () => {
  const { inbox, state, outcome } = openInbox();
  const receive = async () => {
    const { isNew, processed } = await inbox.receive({
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      objectId: 'pi_1',
    });
    await processed;
    return isNew;
  };
  expect(await receive()).toBe(true);
  expect(outcome()).toBe('failed');
  state.isUnknown = false;
  expect(await receive()).toBe(false);
  expect(outcome()).toBe('done');
  expect(await receive()).toBe(false);
  expect(state.reads).toBe(2);
});
