import { expect, test } from 'bun:test';
import type { Account } from './account.ts';
import { cycleEndsAt, rollCycle } from './roll-cycle.ts';

const at = (text: string): number => Date.parse(text);
const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

const account = (fields: Partial<Account> & { start: string }): Account => {
  const { start, ...rest } = fields;
  const cycleStartedAt = at(start);
  return {
    id: 'acct_1',
    name: 'Ada',
    email: null,
    emailVerified: false,
    plan: 'starter',
    pendingPlan: null,
    status: 'active',
    priceUsdPerMonth: null,
    planOverrides: null,
    unpaidFrom: null,
    cycleStartedAt,
    cycleDay: new Date(cycleStartedAt).getUTCDate(),
    createdAt: cycleStartedAt,
    version: 1,
    ...rest,
  };
};

const dates = [
  { start: '2026-01-31T00:00:00Z', now: '2026-02-27T23:59:59Z', from: '2026-01-31', to: '2026-02-28' },
  { start: '2026-01-31T00:00:00Z', now: '2026-02-28T00:00:00Z', from: '2026-02-28', to: '2026-03-31' },
  { start: '2026-01-31T00:00:00Z', now: '2026-04-05T00:00:00Z', from: '2026-03-31', to: '2026-04-30' },
  { start: '2024-01-30T00:00:00Z', now: '2024-02-29T12:00:00Z', from: '2024-02-29', to: '2024-03-30' },
  { start: '2026-01-29T00:00:00Z', now: '2026-03-01T00:00:00Z', from: '2026-02-28', to: '2026-03-29' },
  { start: '2025-11-15T00:00:00Z', now: '2027-01-14T23:59:59Z', from: '2026-12-15', to: '2027-01-15' },
  { start: '2025-12-31T00:00:00Z', now: '2026-01-31T00:00:00Z', from: '2026-01-31', to: '2026-02-28' },
];

for (const { start, now, from, to } of dates) {
  test(`an account whose first cycle starts at ${start} is, at ${now}, in the cycle from ${from} to ${to} [PLN-11] [PLN-12]`, () => {
    const rolled = rollCycle(account({ start }), at(now));
    expect(iso(rolled.cycleStartedAt)).toBe(`${from}T00:00:00.000Z`);
    expect(iso(cycleEndsAt(rolled))).toBe(`${to}T00:00:00.000Z`);
  });
}

test('a new cycle keeps the time of day of the start', () => {
  const rolled = rollCycle(account({ start: '2026-01-31T17:45:30.123Z' }), at('2026-03-01T00:00:00Z'));
  expect(iso(rolled.cycleStartedAt)).toBe('2026-02-28T17:45:30.123Z');
  expect(iso(cycleEndsAt(rolled))).toBe('2026-03-31T17:45:30.123Z');
});

test('reading twice, or once after many months, gives the same cycle', () => {
  const first = account({ start: '2024-01-31T10:00:00Z' });
  const end = at('2026-06-30T23:00:00Z');
  let stepwise = first;
  for (let now = first.cycleStartedAt; now <= end; now += 86_400_000) stepwise = rollCycle(stepwise, now);
  expect(rollCycle(stepwise, end)).toEqual(rollCycle(first, end));
});

test('a pending plan takes effect at the first renewal, which ends a kept price [PLN-14]', () => {
  const pending = account({
    start: '2026-01-10T00:00:00Z',
    plan: 'pro',
    pendingPlan: 'starter',
    priceUsdPerMonth: 15,
  });
  expect(rollCycle(pending, at('2026-02-09T23:59:59Z'))).toBe(pending);
  const rolled = rollCycle(pending, at('2026-04-11T00:00:00Z'));
  expect(rolled).toMatchObject({ plan: 'starter', pendingPlan: null, priceUsdPerMonth: null });
  expect(iso(rolled.cycleStartedAt)).toBe('2026-04-10T00:00:00.000Z');
});

test('a subscription that ends changes to Free, without a cycle, at the first renewal', () => {
  const ending = account({ start: '2026-01-10T00:00:00Z', pendingPlan: 'free' });
  const rolled = rollCycle(ending, at('2026-05-11T00:00:00Z'));
  expect(rolled.plan).toBe('free');
  expect(iso(rolled.cycleStartedAt)).toBe('2026-02-10T00:00:00.000Z');
  expect(cycleEndsAt(rolled)).toBeNull();
});

test('Free and pay-as-you-go accounts of any age have no cycle [PLN-02]', () => {
  for (const plan of ['free', 'payg'] as const) {
    const old = account({ start: '2020-01-01T00:00:00Z', plan });
    expect(rollCycle(old, at('2026-01-01T00:00:00Z'))).toBe(old);
    expect(cycleEndsAt(old)).toBeNull();
  }
});

test('a Launch account and a Scale account keep an old price across renewals [PLN-16] [PLN-17]', () => {
  const launch = account({ start: '2026-01-10T00:00:00Z', plan: 'launch' });
  const scale = account({ start: '2026-01-10T00:00:00Z', plan: 'scale', priceUsdPerMonth: 79 });
  const now = at('2026-07-01T00:00:00Z');
  expect(rollCycle(launch, now).plan).toBe('launch');
  expect(rollCycle(scale, now)).toMatchObject({ plan: 'scale', priceUsdPerMonth: 79 });
});

test('an unpaid cycle grants its credits day by day, and a cycle before it or after the payment all of them', () => {
  const fields = { start: '2026-03-10T08:00:00Z', unpaidFrom: at('2026-04-09T08:00:00Z') };
  const daysAt = (now: string, more = {}) => rollCycle({ ...account(fields), ...more }, at(now)).daysGranted;
  expect(daysAt('2026-04-10T07:59:59Z')).toBeUndefined();
  expect(daysAt('2026-04-10T08:00:00Z')).toBe(1);
  expect(daysAt('2026-04-11T08:00:00Z')).toBe(2);
  expect(daysAt('2026-05-09T08:00:00Z')).toBe(30);
  expect(daysAt('2026-05-10T08:00:00Z')).toBe(1);
  const rolled = rollCycle(account(fields), at('2026-04-11T08:00:00Z'));
  expect(rollCycle({ ...rolled, unpaidFrom: null }, at('2026-04-12T08:00:00Z'))).not.toHaveProperty(
    'daysGranted',
  );
  expect(daysAt('2026-04-11T08:00:00Z', { plan: 'free' })).toBeUndefined();
});
