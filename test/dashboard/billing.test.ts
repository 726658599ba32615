import { afterAll, expect, test } from 'bun:test';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { answerWell } from '../support/recording-upstream.ts';
import { startWebhook } from '../support/start-webhook.ts';
import { waitFor } from '../support/wait-for.ts';
import { callDashboard, signInWithPassword } from './sign-in.ts';
import { startBillingServer } from './support/billing-server.ts';

const { stripe, upstream, alerts, server, join, advance, stop } = await startBillingServer();
afterAll(stop);

const own = await server.createAccount('free');
const owner = await join(own, 'owner@ours.example', 'owner');
const viewer = await join(own, 'viewer@ours.example', 'viewer');
const billing = `/organizations/${own}/billing`;
const view = async () => (await owner.call(billing)).body;
const purchased = async (): Promise<number> => (await view()).purchased_credits;
const settled = async (expected: number) =>
  waitFor(async () => Math.abs((await purchased()) - expected) < 1e-6, 30_000).catch(async () =>
    expect(await purchased()).toBe(expected),
  );
const buy = async (usd: number) => {
  const { status, body } = await owner.call(`${billing}/purchases`, { body: { usd, save_card: true } });
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return stripe.pay(body.url);
};
const entries = async () => (await owner.call(`${billing}/entries`)).body.data;

test('a purchase is credited once, although its messages arrive ten times and the browser returns', async () => {
  const before = await purchased();
  const session = await buy(5);
  const paid = stripe.event('payment_intent.succeeded', session.payment_intent);
  const completed = stripe.event('checkout.session.completed', session.id);
  const sent = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      stripe.deliver(server.url, index % 2 ? paid : completed, index === 3 ? { by: 'whsec_old' } : {}),
    ),
  );
  expect(sent.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const confirmed = await owner.call(`${billing}/confirm`, { body: { checkout_id: session.id } });
  expect(confirmed.body).toEqual({ state: 'complete' });
  await settled(before + 2_500);
  const purchases = (await entries()).filter(({ kind }: { kind: string }) => kind === 'purchase');
  expect(purchases).toHaveLength(1);
  expect(purchases[0]).toMatchObject({ credits: 2_500, purchased_credits_after: before + 2_500 });
});

test('a message is refused unless Stripe has signed it recently', async () => {
  const session = await buy(7);
  const before = await purchased();
  const event = stripe.event('payment_intent.succeeded', session.payment_intent);
  const forged = await stripe.deliver(server.url, event, { by: 'whsec_other' });
  const old = await stripe.deliver(server.url, event, { at: Math.floor(Date.now() / 1_000) - 301 });
  const bare = await fetch(`${server.url}/stripe/webhook`, { method: 'POST', body: JSON.stringify(event) });
  expect({ forged: forged.status, old: old.status, bare: bare.status }).toEqual({
    forged: 400,
    old: 400,
    bare: 400,
  });
  const send = (body: string) => fetch(`${server.url}/stripe/webhook`, { method: 'POST', body });
  // An unsigned body is not even parsed.
  expect(await (await send('{')).text()).toContain('The signature is missing');
  expect((await send(' '.repeat(1_048_577))).status).toBe(413);
  expect(await purchased()).toBe(before);
});

test('a message about an object without an id is taken if its type changes nothing', async () => {
  const event = (type: string) => ({ id: `evt_${type}`, type, data: { object: { object: 'invoice' } } });
  const upcoming = await stripe.deliver(server.url, event('invoice.upcoming'));
  expect(upcoming.status).toBe(200);
  expect(await upcoming.json()).toEqual({ received: true, duplicate: false });
  expect((await stripe.deliver(server.url, event('invoice.paid'))).status).toBe(400);
});

test('a payment whose message never arrives is found by the next looks', async () => {
  // The payment of the test before was not credited.
  const before = await purchased();
  await advance(120);
  await settled(before + 3_500);
});

test('a message is kept until Stripe can be reached', async () => {
  const before = await purchased();
  const session = await buy(2);
  stripe.state.isAway = true;
  const event = stripe.event('payment_intent.succeeded', session.payment_intent);
  expect((await stripe.deliver(server.url, event)).status).toBe(200);
  await waitFor(() => server.log().includes('payment-event-failed'));
  expect(await purchased()).toBe(before);
  stripe.state.isAway = false;
  await advance(3_600);
  await settled(before + 1_000);
});

test('purchases keep the bounds of the configuration [CRD-28] [CRD-29]', async () => {
  for (const usd of [1.99, 1_000.01, 2.005]) {
    const { status, body } = await owner.call(`${billing}/purchases`, { body: { usd } });
    expect({ usd, status, param: body.error.param }).toEqual({ usd, status: 400, param: 'usd' });
  }
});

test('a refund takes back the part that it refunds, once, and a won dispute gives it back', async () => {
  const before = await purchased();
  const session = await buy(10);
  const refund = stripe.add('re', {
    status: 'succeeded',
    amount: 400,
    payment_intent: session.payment_intent,
    charge: 'ch_1',
  });
  // The refund is reported before the payment.
  for (const type of ['refund.created', 'refund.updated', 'charge.refunded'])
    await stripe.deliver(server.url, stripe.event(type, type === 'charge.refunded' ? 'ch_1' : refund.id));
  await settled(before + 3_000);
  await alerts.arrives('payment_reversed');
  await server.giveCredits(own, -(before + 2_000));
  const all = { status: 'needs_response', amount: 100_000, payment_intent: session.payment_intent };
  const dispute = stripe.add('dp', all);
  await stripe.deliver(server.url, stripe.event('charge.dispute.created', dispute.id));
  await waitFor(async () => (await view()).debt_credits === 2_000);
  expect(await purchased()).toBe(0);
  await alerts.arrives('payment_reversed', 2);
  expect(alerts.of('payment_reversed')[1].data).toMatchObject({
    credits: 3_000,
    credits_taken: 1_000,
    debt_credits: 2_000,
  });
  Object.assign(stripe.kept.get(dispute.id)!, { status: 'won' });
  await stripe.deliver(server.url, stripe.event('charge.dispute.closed', dispute.id));
  await settled(1_000);
  expect((await view()).debt_credits).toBe(0);
});

test('a refund while a request runs leaves it its hold, and takes what is released [CRD-53]', async () => {
  const account = await server.createAccount('free');
  const other = await join(account, 'second@ours.example', 'owner');
  const there = `/organizations/${account}/billing`;
  const readBilling = async () => (await other.call(there)).body;
  const { body } = await other.call(`${there}/purchases`, { body: { usd: 10 } });
  const { payment_intent } = stripe.pay(body.url);
  await stripe.deliver(server.url, stripe.event('payment_intent.succeeded', payment_intent));
  await waitFor(async () => (await readBilling()).purchased_credits === 5_000, 30_000);
  await server.giveCredits(account, -4_980);
  const ended = Promise.withResolvers<void>();
  upstream.answer('hidden-test-small', async (request) => {
    await ended.promise;
    return answerWell(request);
  });
  const { key } = (await server.admin('POST', `/accounts/${account}/keys`, { payg: true })).body;
  const asking = server.call('/v1/chat/completions', {
    headers: bearer(key),
    body: chatBody('@svc/test-small', { max_tokens: 4_000 }),
  });
  await waitFor(() => upstream.requests.length > 0);
  const refund = stripe.add('re', { status: 'succeeded', amount: 1_000, payment_intent });
  await stripe.deliver(server.url, stripe.event('refund.created', refund.id));
  await waitFor(async () => (await readBilling()).debt_credits > 4_980, 30_000);
  ended.resolve();
  expect((await asking).status).toBe(200);
  const [usage] = (await usageEntries(server, account)) as [Json];
  expect(usage).toMatchObject({ shortfall_microcredits: 0 });
  expect(usage.microcredits).toBeGreaterThan(0);
  expect((await readBilling()).debt_credits).toBeCloseTo(4_980 + usage.microcredits / 1e6, 5);
});

test('a debt refuses requests on purchased credit, is in every view, and is paid by the next purchase [CRD-53]', async () => {
  const key = (await server.admin('POST', `/accounts/${own}/keys`, { payg: true })).body.key;
  const ask = () =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: '@svc/test-small', messages: [{ role: 'user', content: 'Hello.' }] }),
    });
  const session = await buy(20);
  await stripe.deliver(server.url, stripe.event('payment_intent.succeeded', session.payment_intent));
  await settled(11_000);
  await server.giveCredits(own, -7_000);
  // Two halves of a payment with tax, and a dispute of the whole.
  const payment = stripe.kept.get(session.payment_intent)!;
  Object.assign(payment, { amount: 2_380, amount_received: 2_380 });
  const of = { status: 'succeeded', payment_intent: payment.id };
  for (const amount of [1_190, 1_190]) {
    const refund = stripe.add('re', { ...of, amount });
    await stripe.deliver(server.url, stripe.event('refund.created', refund.id));
  }
  const dispute = stripe.add('dp', { ...of, status: 'lost', amount: 2_380 });
  await stripe.deliver(server.url, stripe.event('charge.dispute.created', dispute.id));
  await waitFor(async () => (await view()).debt_credits === 6_000, 30_000);
  await alerts.arrives('payment_reversed', 5);
  const account = (await server.admin('GET', `/accounts/${own}`)).body;
  const usage = (await owner.call(`/organizations/${own}/usage/balance`)).body;
  const balance = await fetch(`${server.url}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
  const views = [account, usage, await balance.json(), await view()];
  for (const one of views) expect(one).toMatchObject({ purchased_credits: 0, debt_credits: 6_000 });
  const refused = await ask();
  expect({ status: refused.status, errorCode: refused.headers.get('x-svc-error-code') }).toEqual({
    status: 402,
    errorCode: 'insufficient_paid_credit',
  });
  expect((await entries())[0]).toMatchObject({ purchased_credits_after: 0, debt_credits_after: 6_000 });
  const next = await buy(14);
  await stripe.deliver(server.url, stripe.event('payment_intent.succeeded', next.payment_intent));
  await settled(1_000);
  expect((await view()).debt_credits).toBe(0);
  expect((await ask()).status).toBe(200);
  expect(await server.ledgerFaults()).toEqual([]);
});

test('a payment in a different currency or with a negative amount changes no credit and is reported [CRD-53]', async () => {
  const before = await purchased();
  const euro = await buy(5);
  Object.assign(stripe.kept.get(euro.payment_intent)!, { currency: 'eur' });
  const negative = await buy(5);
  Object.assign(stripe.kept.get(negative.payment_intent)!, { amount_received: -500 });
  for (const { payment_intent } of [euro, negative])
    await stripe.deliver(server.url, stripe.event('payment_intent.succeeded', payment_intent));
  const paid = await buy(2);
  await stripe.deliver(server.url, stripe.event('payment_intent.succeeded', paid.payment_intent));
  await settled(before + 1_000);
  for (const fields of [{ amount: -200 }, { amount: 200, currency: 'eur' }]) {
    const refund = stripe.add('re', { status: 'succeeded', payment_intent: paid.payment_intent, ...fields });
    await stripe.deliver(server.url, stripe.event('refund.created', refund.id));
  }
  await alerts.arrives('payment_problem', 4);
  const problems = alerts.of('payment_problem').map(({ data }) => data.problem);
  expect(problems.toSorted()).toEqual(['amount', 'amount', 'currency', 'currency']);
  expect(await purchased()).toBeCloseTo(before + 1_000, 6);
});

const reload = (fields: object) =>
  owner.call(`${billing}/auto-reload`, {
    body: {
      is_on: true,
      threshold_credits: 1_000_000,
      amount_usd: 20,
      ceiling_usd_per_month: 50,
      ...fields,
    },
  });
const charges = () =>
  stripe.requests.filter(({ path, fields }) => path === '/v1/payment_intents' && fields.metadata.reload);

test('automatic purchases never exceed the ceiling of a month, even if answers are lost', async () => {
  expect((await reload({ ceiling_usd_per_month: 10 })).body.error.param).toBe('ceiling_usd_per_month');
  const before = await purchased();
  stripe.state.losesAnswers = true;
  expect((await reload({})).status).toBe(200);
  await advance(1);
  await waitFor(() => charges().length === 1, 30_000);
  stripe.state.losesAnswers = false;
  await advance(120); // another look finds the payment by its mark
  await settled(before + 20_000);
  const readReload = async () => (await owner.call(`${billing}/auto-reload`)).body;
  await advance(120);
  await waitFor(async () => (await readReload()).spent_usd_this_month === 40, 30_000);
  await advance(120); // a third purchase would pass the ceiling
  expect(await readReload()).toMatchObject({
    spent_usd_this_month: 40,
    card: { last4: '4242' },
    error: null,
  });
  const paid = [...stripe.kept.values()].filter(
    ({ metadata, status }) => metadata?.reload && status === 'succeeded',
  );
  expect(paid.map(({ amount }) => amount)).toEqual([2_000, 2_000]);
});

test('a declined automatic purchase is reported, waits, and frees its amount', async () => {
  const count = charges().length;
  stripe.state.card = 'declined';
  await reload({ ceiling_usd_per_month: 100 });
  await advance(1);
  await waitFor(() => charges().length === count + 1, 30_000);
  await alerts.arrives('auto_reload_failed');
  const { body } = await owner.call(`${billing}/auto-reload`);
  expect(body).toMatchObject({ is_on: true, spent_usd_this_month: 40, error: 'Your card was declined.' });
  await advance(1_800);
  expect(charges()).toHaveLength(count + 1);
  stripe.state.card = 'ok';
  await reload({ is_on: false });
});

test('an organization has receivers of its own, whose secret is shown once', async () => {
  const hook = startWebhook();
  const body = { addresses: [], webhook_url: hook.url, low_percents: [25], caps: true };
  const saved = (await owner.call(`${billing}/alerts`, { body })).body;
  expect(saved.secret).toMatch(/^whsec_/);
  expect((await owner.call(`${billing}/alerts`)).body).toMatchObject({ secret: null, low_percents: [25] });
  expect((await owner.call(`${billing}/alerts/test`, { method: 'POST' })).body.data).toEqual([
    { receiver: hook.origin, state: 'delivered', error: null },
  ]);
  await hook.arrives('test');
  expect(alerts.of('test')).toEqual([]);
  const rotated = (await owner.call(`${billing}/alerts/secret`, { method: 'POST' })).body.secret;
  expect(rotated).not.toBe(saved.secret);
  hook.stop();
});

test('statements list the entries of a month, as a page and as CSV', async () => {
  const { statements } = (await owner.call(`${billing}/invoices`)).body;
  const pages = await Promise.all(
    statements.map((month: string) => owner.call(`${billing}/statements/${month}`)),
  );
  expect(pages.map(({ text }) => text).join('')).toContain('Payment pi_');
  const csv = await owner.call(`${billing}/statements/${statements.at(-1)}/csv`);
  expect(csv.text).toStartWith('time,kind,entry,model,balance,requests,credits,note\r\n');
  expect((await owner.call(`${billing}/statements/2001-01`)).status).toBe(404);
});

test('a viewer only reads', async () => {
  for (const path of ['', '/entries', '/invoices', '/auto-reload'])
    expect({ path, status: (await viewer.call(`${billing}${path}`)).status }).toEqual({ path, status: 200 });
  const receivers = { addresses: [], webhook_url: null, low_percents: [], caps: true };
  const reloads = { is_on: false, threshold_credits: 0, amount_usd: 5, ceiling_usd_per_month: 5 };
  const changes: [path: string, body: object][] = [
    ['/purchases', { usd: 5 }],
    ['/plan', { plan: 'pro' }],
    ['/confirm', { checkout_id: 'cs_1' }],
    ['/portal', {}],
    ['/auto-reload', reloads],
    ['/alerts', receivers],
    ['/alerts/secret', {}],
    ['/alerts/test', {}],
  ];
  for (const [path, body] of changes)
    expect({ path, status: (await viewer.call(`${billing}${path}`, { body })).status }).toEqual({
      path,
      status: 403,
    });
});

test('nobody, another organization and a stale session see nothing', async () => {
  const other = (await server.admin('POST', '/accounts', { name: 'Other', plan: 'free' })).body.id;
  const reads = ['', '/entries', '/invoices', '/auto-reload', '/alerts', '/statements/2026-11'];
  for (const path of reads) {
    expect((await callDashboard(server, `${billing}${path}`)).status).toBe(401);
    expect((await owner.call(`/organizations/${other}/billing${path}`)).status).toBe(404);
  }
  const gone = await signInWithPassword(server, 'viewer@ours.example');
  await gone.call('/session/sign-out', { method: 'POST' });
  expect((await gone.call(billing)).status).toBe(401);
  const foreign = { headers: { origin: 'https://evil.example' }, body: { usd: 5 } };
  expect((await owner.call(`${billing}/purchases`, foreign)).status).toBe(403);
  expect((await callDashboard(server, `${billing}/purchases`, { body: { usd: 5 } })).status).toBe(401);
  const entry = (await entries())[0].id;
  expect((await owner.call(`${billing}/entries/${entry}`)).body.id).toBe(entry);
  expect((await owner.call(`/organizations/${other}/billing/entries/${entry}`)).status).toBe(404);
});

test('an inquiry takes nothing, and a dispute that is won gives back what it took once [CRD-53]', async () => {
  const account = await server.createAccount('free');
  const other = await join(account, 'third@ours.example', 'owner');
  const there = `/organizations/${account}/billing`;
  const credits = async (): Promise<number> => (await other.call(there)).body.purchased_credits;
  const { body } = await other.call(`${there}/purchases`, { body: { usd: 10 } });
  const { payment_intent } = stripe.pay(body.url);
  await stripe.deliver(server.url, stripe.event('payment_intent.succeeded', payment_intent));
  await waitFor(async () => (await credits()) === 5_000, 30_000);
  const dispute = stripe.add('dp', { status: 'warning_needs_response', amount: 1_000, payment_intent });
  const report = (type: string) => stripe.deliver(server.url, stripe.event(type, dispute.id));
  const reasons = async (): Promise<string[]> => {
    const { data } = (await server.admin('GET', `/accounts/${account}/ledger`)).body;
    return data.map(({ reason }: { reason: string | null }) => reason).filter(Boolean);
  };
  const alertsBefore = alerts.of('payment_reversed').length;
  /** A refund is processed after the messages before it. */
  const refund = async (left: number): Promise<void> => {
    const { id } = stripe.add('re', { status: 'succeeded', amount: 100, payment_intent });
    await stripe.deliver(server.url, stripe.event('refund.created', id));
    await waitFor(async () => (await credits()) === left, 30_000);
  };
  await report('charge.dispute.created');
  await refund(4_500);
  Object.assign(stripe.kept.get(dispute.id)!, { status: 'needs_response' });
  await report('charge.dispute.updated');
  await waitFor(async () => (await credits()) === 0, 30_000);
  await alerts.arrives('payment_reversed', alertsBefore + 2);
  const taken = `Dispute ${dispute.id} of payment ${payment_intent}`;
  expect((await reasons()).filter((reason) => reason.includes(dispute.id))).toEqual([taken]);
  Object.assign(stripe.kept.get(dispute.id)!, { status: 'won' });
  const types = ['charge.dispute.funds_reinstated', 'charge.dispute.closed', 'charge.dispute.closed'];
  await Promise.all(types.map(report));
  await waitFor(async () => (await credits()) === 4_500, 30_000);
  await refund(4_000);
  const ofDispute = (await reasons()).filter((reason) => reason.includes(dispute.id));
  expect(ofDispute).toEqual([`Dispute ${dispute.id} is over`, taken]);
  await alerts.arrives('payment_reversed', alertsBefore + 3);
  expect(alerts.of('payment_reversed')).toHaveLength(alertsBefore + 3);
});

test('the secret key of Stripe is in no log', () => {
  expect(server.log()).not.toContain('sk_test_hidden');
});
