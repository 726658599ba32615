import { afterAll, expect, test } from 'bun:test';
import { waitFor } from '../support/wait-for.ts';
import { startBillingServer } from './support/billing-server.ts';

const { stripe, server, join, advance, stop } = await startBillingServer();
afterAll(stop);

const updates = () =>
  stripe.requests.filter(({ path }) => path.startsWith('/v1/subscriptions/')).map(({ fields }) => fields);

/** Creates an account, whose owner subscribes to the plan. */
async function subscribe(plan: string, name: string, secondsAgo = 0) {
  const { id } = (await server.admin('POST', '/accounts', { name, plan: 'free' })).body;
  const payer = await join(id, `${name}@ours.example`, 'owner');
  const path = `/organizations/${id}/billing`;
  const view = async () => (await payer.call(path)).body;
  const choose = (order: object) => payer.call(`${path}/plan`, { body: order });
  const chosen = await choose({ plan });
  expect({ status: chosen.status, plan: (await view()).plan }).toEqual({ status: 200, plan: 'free' });
  const { subscription } = stripe.pay(chosen.body.url);
  const record = stripe.kept.get(subscription)!;
  record.current_period_start -= secondsAgo;
  const report = (type: string) => stripe.deliver(server.url, stripe.event(type, subscription));
  await report('customer.subscription.created');
  // The record of the subscription is written after the plan.
  await waitFor(async () => (await view()).subscription?.status === 'active');
  return { id, record, report, view, choose };
}

test('a subscription sets the plan, and changes of the plan are followed', async () => {
  const { record, view, choose } = await subscribe('pro', 'changing');
  expect(await view()).toMatchObject({ plan: 'pro', monthly: { limit: 10_000 } });
  expect((await choose({ plan: 'max' })).body).toEqual({ url: null });
  expect(await view()).toMatchObject({ plan: 'max', pending_plan: null });
  await choose({ plan: 'starter' });
  expect(await view()).toMatchObject({ plan: 'max', pending_plan: 'starter' });
  await choose({ plan: 'max' });
  expect(await view()).toMatchObject({ plan: 'max', pending_plan: null });
  expect(record.items.data[0].price.id).toBe('price_max');
});

test('a subscription that is past due loses its plan after the grace period, and gets it back when it is active', async () => {
  const { record, view, report } = await subscribe('pro', 'lapsing');
  record.status = 'past_due';
  await report('customer.subscription.updated');
  await waitFor(async () => (await view()).subscription?.grace_until !== null);
  expect((await view()).plan).toBe('pro');
  await advance(8 * 86_400);
  await waitFor(async () => (await view()).plan === 'free', 30_000);
  record.status = 'active';
  await report('customer.subscription.updated');
  await waitFor(async () => (await view()).plan === 'pro');
});

test('the end of a subscription leads to Free, which is the pending plan before it', async () => {
  const { record, view, report } = await subscribe('pro', 'ending');
  record.cancel_at_period_end = true;
  await report('customer.subscription.updated');
  await waitFor(async () => (await view()).pending_plan === 'free');
  expect((await view()).plan).toBe('pro');
  record.status = 'canceled';
  await report('customer.subscription.deleted');
  await waitFor(async () => (await view()).plan === 'free');
});

test('an upgrade charges the whole difference that the page shows, without proration', async () => {
  const { record, view, choose } = await subscribe('starter', 'whole');
  const { upgrades, renews_at } = await view();
  expect(upgrades).toEqual([
    { plan: 'pro', charge_now_usd: 14, renews_at },
    { plan: 'max', charge_now_usd: expect.any(Number), renews_at },
    { plan: 'scale', charge_now_usd: expect.any(Number), renews_at },
  ]);
  expect((await choose({ plan: 'pro' })).body).toEqual({ url: null });
  expect(updates().at(-1)).toMatchObject({
    proration_behavior: 'always_invoice',
    proration_date: String(record.current_period_start),
    payment_behavior: 'error_if_incomplete',
  });
  expect(await view()).toMatchObject({ plan: 'pro', pending_plan: null, monthly: { limit: 10_000 } });
});

test('an upgrade at the renewal charges nothing now, waits as the pending plan, and can be paid now instead', async () => {
  const { record, view, choose, report } = await subscribe('starter', 'later');
  await choose({ plan: 'pro', when: 'renewal' });
  expect(updates().at(-1)).toMatchObject({ proration_behavior: 'none' });
  expect(record.items.data[0].price.id).toBe('price_pro');
  expect(await view()).toMatchObject({ plan: 'starter', pending_plan: 'pro' });
  await report('customer.subscription.updated');
  await choose({ plan: 'starter' });
  // The message of the first change may be processed at the same time.
  await waitFor(async () => (await view()).pending_plan === null);
  expect((await view()).plan).toBe('starter');
  await choose({ plan: 'pro', when: 'renewal' });
  const before = updates().length;
  await choose({ plan: 'pro' });
  // The price is first that of the plan again, so that its difference is charged.
  expect(updates().slice(before)).toMatchObject([
    { items: { 0: { price: 'price_starter' } }, proration_behavior: 'none' },
    { items: { 0: { price: 'price_pro' } }, proration_behavior: 'always_invoice' },
  ]);
  expect(await view()).toMatchObject({ plan: 'pro', pending_plan: null });
  await choose({ plan: 'max', when: 'renewal' });
  record.current_period_start += 32 * 86_400;
  await report('customer.subscription.updated');
  await waitFor(async () => (await view()).plan === 'max');
});

test('an account with a running cycle that never paid through Stripe pays the difference once, or nothing until the renewal', async () => {
  const { id } = (await server.admin('POST', '/accounts', { name: 'granted', plan: 'starter' })).body;
  const payer = await join(id, 'granted@ours.example', 'owner');
  const path = `/organizations/${id}/billing`;
  const { body } = await payer.call(`${path}/plan`, { body: { plan: 'pro' } });
  const { fields } = stripe.kept.get(body.url.split('/').at(-1))!;
  expect(fields.subscription_data).toMatchObject({ proration_behavior: 'none' });
  expect(fields.line_items[1].price_data.unit_amount).toBe('1400');
  const later = await payer.call(`${path}/plan`, { body: { plan: 'pro', when: 'renewal' } });
  const session = stripe.pay(later.body.url);
  expect(session.fields.line_items[1]).toBeUndefined();
  await payer.call(`${path}/confirm`, { body: { checkout_id: session.id } });
  expect((await payer.call(path)).body).toMatchObject({ plan: 'starter', pending_plan: 'pro' });
});

test('a cycle that is past due gets its credits day by day until the invoice is paid', async () => {
  const days = 33 * 86_400;
  const { id, record, view, report } = await subscribe('pro', 'late', days);
  const { key } = (await server.admin('POST', `/accounts/${id}/keys`, {})).body;
  const { cycle_started_at, monthly } = await view();
  expect(monthly).toEqual({ limit: 10_000, used: 0, remaining: 10_000 });
  Object.assign(record, { status: 'past_due', current_period_start: Date.parse(cycle_started_at) / 1_000 });
  await report('customer.subscription.updated');
  await waitFor(async () => (await view()).subscription.grace_until !== null);
  const late = (await view()).monthly;
  const day = Math.round((Date.parse(late.resets_at) - Date.parse(cycle_started_at)) / 86_400_000);
  expect(day).toBeWithin(1, 30);
  expect(late.limit).toBeCloseTo((10_000 / 30) * day, 5);
  expect((await server.admin('GET', `/accounts/${id}`)).body.credits).toEqual(late);
  await server.admin('POST', `/accounts/${id}/adjustments`, {
    credits: -late.limit,
    balance: 'monthly',
    reason: 'spent',
  });
  const ask = () =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: '@svc/test-small', messages: [{ role: 'user', content: 'Hello.' }] }),
    });
  const refused = await ask();
  expect({ status: refused.status, error: (await refused.json()).error }).toMatchObject({
    status: 402,
    error: { code: 'allowance_exhausted', limit: 0, resets_at: late.resets_at },
  });
  await advance(86_400);
  expect((await view()).monthly.limit).toBeCloseTo(10_000 / 30, 5);
  expect((await ask()).status).toBe(200);
  record.status = 'active';
  const invoice = stripe.add('in', { subscription: record.id, customer: record.customer });
  await stripe.deliver(server.url, stripe.event('invoice.paid', invoice.id));
  await waitFor(async () => (await view()).monthly.limit > 9_000 - late.limit);
  expect((await view()).monthly.resets_at).toBeUndefined();
});
