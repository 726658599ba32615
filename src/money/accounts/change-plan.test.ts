import { expect, test } from 'bun:test';
import { builtinPlans, type PlanId, type Plans } from '../../settings/plans/plan.ts';
import type { Account } from './account.ts';
import { changePlan, payPlan } from './change-plan.ts';

const plans = Object.fromEntries(builtinPlans.map((plan) => [plan.id, plan])) as Plans;
const now = Date.parse('2026-05-31T08:00:00Z');
const startedAt = Date.parse('2026-05-10T00:00:00Z');

const on = (plan: PlanId, fields: Partial<Account> = {}): Account => ({
  id: 'acct_1',
  name: 'Ada',
  email: null,
  emailVerified: false,
  plan,
  pendingPlan: null,
  status: 'active',
  priceUsdPerMonth: null,
  planOverrides: null,
  unpaidFrom: null,
  cycleStartedAt: startedAt,
  cycleDay: 10,
  createdAt: startedAt,
  version: 1,
  ...fields,
});

const change = (account: Account, plan: PlanId): Account => changePlan(account, { plan, plans, now });

const upgrades: [PlanId, PlanId][] = [
  ['launch', 'starter'],
  ['starter', 'pro'],
  ['pro', 'max'],
  ['max', 'scale'],
  ['scale', 'enterprise'],
  ['starter', 'enterprise'],
];
for (const [from, to] of upgrades) {
  test(`${from} to ${to} takes effect immediately and keeps the cycle [PLN-13] [PLN-34]`, () => {
    expect(change(on(from), to)).toEqual(on(to));
  });
}

const downgrades: [PlanId, PlanId][] = [
  ['pro', 'starter'],
  ['scale', 'max'],
  ['starter', 'launch'],
  ['starter', 'free'],
  ['pro', 'payg'],
  ['enterprise', 'scale'],
];
for (const [from, to] of downgrades) {
  test(`${from} to ${to} waits for the renewal [PLN-14]`, () => {
    expect(change(on(from), to)).toEqual(on(from, { pendingPlan: to }));
  });
}

for (const from of ['free', 'payg'] as const) {
  test(`${from} to a paid plan takes effect immediately and starts a cycle [PLN-13]`, () => {
    expect(change(on(from), 'starter')).toEqual(on('starter', { cycleStartedAt: now, cycleDay: 31 }));
  });
}

test('a change between Free and pay-as-you-go does not wait for a renewal', () => {
  expect(change(on('free'), 'payg')).toEqual(on('payg'));
  expect(change(on('payg'), 'free')).toEqual(on('free'));
});

test('choosing the current plan cancels the pending plan', () => {
  expect(change(on('pro', { pendingPlan: 'starter' }), 'pro')).toEqual(on('pro'));
});

test('an upgrade or another downgrade replaces the pending plan', () => {
  expect(change(on('pro', { pendingPlan: 'free' }), 'max')).toEqual(on('max'));
  expect(change(on('pro', { pendingPlan: 'free' }), 'starter')).toEqual(
    on('pro', { pendingPlan: 'starter' }),
  );
});

test('a kept price ends with its plan, except for Enterprise', () => {
  const agreed = { priceUsdPerMonth: 15, planOverrides: { credits: 1 } };
  expect(change(on('starter', agreed), 'pro')).toEqual(on('pro'));
  expect(change(on('starter', agreed), 'enterprise')).toEqual(on('enterprise', agreed));
});

test('a plan that is paid for, even a cheaper one, applies at once within the cycle', () => {
  const pay = (account: Account, plan: PlanId): Account => payPlan(account, { plan, plans, now });
  expect(pay(on('pro', { pendingPlan: 'starter' }), 'starter')).toEqual(on('starter'));
  expect(pay(on('pro', { priceUsdPerMonth: 9 }), 'free')).toEqual(on('free'));
  expect(pay(on('pro', { pendingPlan: 'free' }), 'max')).toEqual(on('max'));
  expect(pay(on('free'), 'pro')).toEqual(on('pro', { cycleStartedAt: now, cycleDay: 31 }));
});
