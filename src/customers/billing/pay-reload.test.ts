import { expect, test } from 'bun:test';
import type { BillingParts } from './billing-parts.ts';
import type { BillingKind } from './billing-record.ts';
import { newRecord } from './new-record.ts';
import { noReload } from './no-reload.ts';
import { payReload } from './pay-reload.ts';
import { StripeFailure } from './stripe/stripe-failure.ts';

const attempt = { id: 'reload_1', cents: 500, at: 1_000 };

const customer = newRecord({
  kind: 'customer',
  id: 'acct_1',
  accountId: 'acct_1',
  reference: 'cus_1',
  createdAt: 0,
  body: {
    subscriptionId: null,
    status: null,
    plan: null,
    periodStart: null,
    graceUntil: null,
    isSuspended: false,
  },
});

/** Opens an account with a reload under way. Stripe refuses to cancel its payment. */
function openReload(pay: () => object) {
  const empty = noReload('acct_1', 1_000);
  const reload = { ...empty, body: { ...empty.body, isOn: true, spentCents: 500, attempt } };
  const saved: unknown[] = [];
  const cancels: string[] = [];
  const reports: string[] = [];
  const parts = {
    store: {
      findBilling: async (kind: BillingKind) => (kind === 'customer' ? customer : reload),
      saveBilling: async (record: unknown) => void saved.push(record),
    },
    stripe: {
      get: async (path: string) => (path.endsWith('payment_methods') ? { data: [{ id: 'pm_1' }] } : {}),
      async post(path: string, { key }: { key?: string } = {}) {
        if (!path.endsWith('/cancel')) return pay();
        expect(key).toBeUndefined();
        cancels.push(path);
        const payment = { id: 'pi_1', status: 'succeeded' };
        throw new StripeFailure({ status: 400, message: 'It has succeeded.', payment: payment as never });
      },
    },
    clock: { now: () => 2_000 },
    report: (_level: string, event: string) => void reports.push(event),
  } as unknown as BillingParts;
  return { parts, saved, cancels, reports };
}

const refused: Record<string, () => object> = {
  'asks for a confirmation': () => ({ id: 'pi_1', status: 'requires_action' }),
  'is declined': () => {
    const payment = { id: 'pi_1', status: 'requires_payment_method' };
    throw new StripeFailure({ status: 402, message: 'Declined.', payment: payment as never });
  },
};

for (const [name, pay] of Object.entries(refused))
  test(`a reload whose payment ${name} waits if Stripe refuses to cancel the payment`, async () => {
    const { parts, saved, cancels, reports } = openReload(pay);
    await payReload(parts, { accountId: 'acct_1', attempt });
    expect(cancels).toEqual(['/v1/payment_intents/pi_1/cancel']);
    expect(reports).toEqual(['auto-reload-waits']);
    expect(saved).toEqual([]);
  });
