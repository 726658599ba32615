import { describe, expect } from 'bun:test';
import { newId } from '../../../base/lib/ids.ts';
import type { BillingRecord } from '../../../customers/billing/billing-record.ts';
import { type OpenStore, storeTest } from './store-test.ts';

const sample = (fields: Partial<BillingRecord<'event'>> = {}): BillingRecord<'event'> => ({
  kind: 'event',
  id: newId('evt_'),
  accountId: null,
  reference: null,
  dueAt: 5,
  createdAt: 3,
  version: 1,
  body: { type: 'a.b', objectId: 'Zoë \' "', attempts: 0, outcome: 'waiting', error: null },
  ...fields,
});

export function describeBilling(open: OpenStore): void {
  describe('billing', () => {
    const check = storeTest(open);

    check('keeps a record once, even after a restart and at the same time', async (opened) => {
      const { billing } = opened.store;
      const record = sample({ accountId: 'acct_1', reference: 'cus_1' });
      const added = await Promise.all([1, 2, 3].map(() => billing.addBilling(record)));
      expect(added.filter((isNew) => isNew)).toHaveLength(1);
      const again = (await opened.reopen()).billing;
      expect(await again.findBilling('event', record.id)).toEqual(record);
      expect(await again.findBillingByReference('event', 'cus_1')).toEqual(record);
      expect(await again.findBilling('customer', record.id)).toBeUndefined();
      expect(await again.findBilling('event', 'a\0')).toBeUndefined();
    });

    check('saves the change of one of several writers', async ({ store: { billing } }) => {
      const record = sample();
      await billing.addBilling(record);
      const changed = (error: string) => ({ ...record, dueAt: null, body: { ...record.body, error } });
      const saved = await Promise.all(['a', 'b', 'c'].map((error) => billing.saveBilling(changed(error))));
      expect(saved.sort()).toEqual(['conflict', 'conflict', 'saved']);
      expect(await billing.findBilling('event', record.id)).toMatchObject({ version: 2, dueAt: null });
    });

    check('lists by id, returns what is due, and deletes what nothing waits for', async ({ store }) => {
      const { billing } = store;
      const rows = ['evt_B', 'evt_a', 'evt_c'].map((id, index) => sample({ id, dueAt: 30 - index }));
      for (const row of [...rows, sample({ id: 'evt_old', dueAt: null, createdAt: 1 })])
        await billing.addBilling(row);
      const ids = (found: { id: string }[]) => found.map(({ id }) => id);
      expect(ids(await billing.listBilling('event', { limit: 2 }))).toEqual(['evt_B', 'evt_a']);
      expect(ids(await billing.listBilling('event', { limit: 9, after: 'evt_a' }))).toEqual([
        'evt_c',
        'evt_old',
      ]);
      expect(ids(await billing.dueBilling('event', { now: 29, limit: 9 }))).toEqual(['evt_c', 'evt_a']);
      expect(await billing.sweepBilling('event', 100)).toBe(1);
      expect(await billing.findBilling('event', 'evt_old')).toBeUndefined();
    });
  });
}
