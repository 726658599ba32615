import { expect, test } from 'bun:test';
import type { BillingParts } from './billing-parts.ts';
import type { BillingKind, BillingRecord } from './billing-record.ts';
import { BillingWorker } from './billing-worker.ts';
import { newRecord } from './new-record.ts';
import { noReload } from './no-reload.ts';

const NOW = 1_000_000;

/** Returns a worker with these records. `get` answers for Stripe. */
function workerWith(records: readonly BillingRecord[], get: (path: string) => unknown) {
  const kept = new Map(records.map((record) => [`${record.kind} ${record.id}`, record]));
  const calls: string[] = [];
  const parts = {
    store: {
      findBilling: async (kind: BillingKind, id: string) => kept.get(`${kind} ${id}`),
      findBillingByReference: async (kind: BillingKind, reference: string) =>
        [...kept.values()].find((record) => record.kind === kind && record.reference === reference),
      dueBilling: async (kind: BillingKind, { now, limit }: { now: number; limit: number }) =>
        [...kept.values()]
          .filter((record) => record.kind === kind && record.dueAt !== null && record.dueAt <= now)
          .slice(0, limit),
      async saveBilling(record: BillingRecord) {
        kept.set(`${record.kind} ${record.id}`, { ...record, version: record.version + 1 });
        return 'saved';
      },
      sweepBilling: async () => 0,
    },
    stripe: {
      isReady: true,
      async get(path: string) {
        calls.push(path);
        return get(path);
      },
    },
    accounts: {
      find: async (id: string) => {
        if (id.startsWith('acct_bad')) throw new Error('unreadable');
        return { id, status: 'closed' };
      },
    },
    alerts: { raise() {} },
    clock: { now: () => NOW },
    config: () => ({ billing: { stripe: { prices: {} }, grace_days: 7 }, purchases: {} }),
    report() {},
  } as unknown as BillingParts;
  const dueAtOf = (kind: BillingKind, id: string) => kept.get(`${kind} ${id}`)?.dueAt;
  return { worker: new BillingWorker(parts), calls, dueAtOf };
}

const customer = newRecord({
  kind: 'customer',
  id: 'acct_1',
  accountId: 'acct_1',
  reference: 'cus_1',
  createdAt: 0,
  dueAt: NOW,
  body: {
    subscriptionId: 'sub_1',
    status: 'past_due',
    plan: 'pro',
    periodStart: null,
    graceUntil: NOW,
    isSuspended: false,
  },
});

const subscription = { id: 'sub_1', status: 'active', customer: 'cus_1', metadata: {}, items: { data: [] } };

const answers: Record<string, () => unknown> = {
  'is paid at a price that is not configured': () => subscription,
  'cannot be read': () => {
    throw new Error('away');
  },
};
for (const [name, get] of Object.entries(answers))
  test(`a subscription that ${name} after its grace is looked at again after ten minutes`, async () => {
    const { worker, calls, dueAtOf } = workerWith([customer], get);
    await worker.look();
    expect(dueAtOf('customer', 'acct_1')).toBe(NOW + 600_000);
    const before = calls.length;
    await worker.look();
    expect(calls.length).toBe(before);
  });

test('a completed checkout whose payment the bank has refused is not looked at again', async () => {
  const checkout = newRecord({
    kind: 'checkout',
    id: 'cs_1',
    accountId: 'acct_1',
    createdAt: 0,
    dueAt: NOW,
    body: { attempts: 0, outcome: 'open' },
  });
  const { worker, dueAtOf } = workerWith([checkout], (path) =>
    path.includes('payment_intents')
      ? { id: 'pi_1', status: 'requires_payment_method', metadata: {}, currency: 'usd', amount_received: 0 }
      : { id: 'cs_1', status: 'complete', payment_intent: 'pi_1', subscription: null, metadata: {} },
  );
  await worker.look();
  expect(dueAtOf('checkout', 'cs_1')).toBeNull();
});

test('accounts whose balance cannot be read do not keep others from their looks', async () => {
  const reload = (accountId: string): BillingRecord => {
    const empty = noReload(accountId, 0);
    return { ...empty, dueAt: NOW, body: { ...empty.body, isOn: true, ceilingCents: 1 } };
  };
  const bad = Array.from({ length: 60 }, (_, index) => reload(`acct_bad_${index}`));
  const { worker, dueAtOf } = workerWith([...bad, reload('acct_1')], () => undefined);
  await worker.look();
  expect(dueAtOf('reload', 'acct_bad_59')).toBe(NOW + 15_000);
  expect(dueAtOf('reload', 'acct_1')).toBe(NOW + 15_000);
});
