import { expect, test } from 'bun:test';
import { DAY_MS } from '../../base/lib/units.ts';
import type { Account } from '../../money/accounts/account.ts';
import type { AccountChange } from '../../money/accounts/accounts.ts';
import { sampleAccount } from '../../store/testing/conformance/sample-records.ts';
import type { AccountSubscription } from './account-subscription.ts';
import { applyLateSubscription } from './apply-late-subscription.ts';
import { applyPaidSubscription } from './apply-paid-subscription.ts';
import type { BillingParts } from './billing-parts.ts';

const GRACE_UNTIL = 1_000;

/** Returns an account past its grace, with changes of its status by name and its subscription. */
function lateAccount() {
  let account: Account = sampleAccount({ plan: 'pro' });
  let now = GRACE_UNTIL;
  const changes: object[] = [];
  const change = async (_id: string, wanted: AccountChange, actor: string): Promise<Account> => {
    const before = account;
    account = { ...account, ...wanted } as Account;
    changes.unshift({ id: `${changes.length}`, at: now, actor, before, after: account });
    return account;
  };
  const parts = {
    accounts: {
      find: async () => account,
      change,
      listAudit: async () => ({ items: changes, hasMore: false }),
    },
    alerts: { raise() {} },
    clock: { now: () => now++ },
    config: () => ({
      billing: { grace_days: 7, after_grace: 'suspend', stripe: { prices: { pro: 'price_1' } } },
    }),
    plans: () => ({ pro: { rank: 1 } }),
  } as unknown as BillingParts;
  let periodStart = 0;
  const apply = (paid: boolean, isSuspended: boolean) => {
    const body = {
      subscriptionId: 'sub_1',
      plan: 'pro',
      periodStart: 0,
      graceUntil: GRACE_UNTIL,
      isSuspended,
    };
    const items = { data: [{ price: { id: 'price_1' } }] };
    const period = { current_period_start: periodStart / 1_000 };
    const subscription = { id: 'sub_1', status: 'past_due', ...period, items, metadata: {} };
    const given = { customer: { body }, account, subscription } as unknown as AccountSubscription;
    return (paid ? applyPaidSubscription : applyLateSubscription)(parts, given);
  };
  const set = (status: Account['status']) => change(account.id, { status }, 'admin');
  const wait = (ms: number) => {
    now += ms;
  };
  /** Begins the next period of the subscription, and returns its start. */
  const renew = () => {
    periodStart = Math.ceil(now / 1_000) * 1_000;
    return periodStart;
  };
  const forgetChanges = () => changes.splice(0);
  return { apply, set, wait, renew, forgetChanges, status: () => account.status };
}

test('a suspension whose record was lost is lifted by a payment', async () => {
  const { apply, status } = lateAccount();
  await apply(false, false);
  expect(status()).toBe('suspended');
  // The record of the first attempt was not saved.
  expect(await apply(false, false)).toMatchObject({ body: { isSuspended: true } });
  await apply(true, false);
  expect(status()).toBe('active');
});

test('an account that an operator has reopened stays open at further failures', async () => {
  const { apply, set, status } = lateAccount();
  await apply(false, false);
  await set('active');
  expect(await apply(false, true)).toMatchObject({ body: { isSuspended: false } });
  expect(status()).toBe('active');
});

test("a payment does not lift an operator's suspension", async () => {
  const { apply, set, status } = lateAccount();
  await apply(false, false);
  await set('active');
  await set('suspended');
  await apply(true, true);
  expect(status()).toBe('suspended');
});

test('a reopened account gets a grace for its next renewal, and is suspended after it', async () => {
  const { apply, set, wait, renew, status } = lateAccount();
  await apply(false, false);
  await set('active');
  wait(30 * DAY_MS);
  const start = renew();
  wait(DAY_MS);
  expect(await apply(false, false)).toMatchObject({ dueAt: start + 7 * DAY_MS });
  expect(status()).toBe('active');
  wait(7 * DAY_MS);
  expect(await apply(false, false)).toMatchObject({ body: { isSuspended: true } });
  expect(status()).toBe('suspended');
});

test('a payment lifts a suspension that the audit log no longer has', async () => {
  const { apply, forgetChanges, status } = lateAccount();
  await apply(false, false);
  forgetChanges();
  const late = await apply(false, true);
  await apply(true, late?.body.isSuspended === true);
  expect(status()).toBe('active');
});
