import { expect, test } from 'bun:test';
import type { BillingStore } from './billing-store.ts';
import { OrganizationReceivers } from './organization-receivers.ts';

test('a refresh that ends after a later one changes nothing', async () => {
  const reads: PromiseWithResolvers<unknown>[] = [];
  const store = {
    listBilling: () => {
      const read = Promise.withResolvers<unknown>();
      reads.push(read);
      return read.promise;
    },
  } as unknown as Pick<BillingStore, 'listBilling'>;
  const receivers = new OrganizationReceivers(store);
  const body = { lowPercents: [], addresses: [], webhookUrl: null, secret: null, caps: false };
  const rows = (lowPercents: number[]) => [{ id: 'acct_1', body: { ...body, lowPercents } }];
  const refreshes = [receivers.refresh(), receivers.refresh()];
  reads[1]!.resolve(rows([20]));
  await refreshes[1];
  reads[0]!.resolve(rows([50]));
  await refreshes[0];
  expect(receivers.lowSharesOf('acct_1')).toEqual([0.2]);
});
