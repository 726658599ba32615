import { afterAll, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/base/lib/units.ts';
import { calendarMonth } from '../../src/money/ledger/calendar-month.ts';
import { callDashboard, PASSWORD, signInAsOperator } from '../dashboard/sign-in.ts';
import { startFakeStripe, stripeSettings } from '../dashboard/support/fake-stripe.ts';
import { countStatuses } from '../support/count-statuses.ts';
import { startNodes } from '../support/postgres/start-nodes.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { waitFor } from '../support/wait-for.ts';

const stripe = startFakeStripe();
afterAll(() => stripe.stop());
const gateway = await startNodes(2, {
  ...sampleConfig('http://127.0.0.1:9'),
  billing: { stripe: stripeSettings(stripe) },
  limits: { keys_per_organization: 6, members_per_organization: 2, invitations_per_organization: 3 },
});
const [first, second] = gateway.nodes as [(typeof gateway.nodes)[0], (typeof gateway.nodes)[0]];
// The ceiling counts within a month, so a month that is almost over is left first.
if (calendarMonth(Date.now()).endsAt - Date.now() < HOUR_MS)
  for (const node of gateway.nodes) await gateway.advance(HOUR_MS / 1_000, node);
const owner = await signInAsOperator(first);
const own: string = (await owner.call('/session')).body.organizations[0].id;
const billing = `/organizations/${own}/billing`;
const at = (node: typeof first, path: string, body?: object) =>
  callDashboard(node, path, { headers: { cookie: owner.cookie }, ...(body && { body }) });
const purchased = async (node = first): Promise<number> => (await at(node, billing)).body.purchased_credits;
const purchases = async () =>
  (await at(second, `${billing}/entries`)).body.data.filter(
    ({ kind }: { kind: string }) => kind === 'purchase',
  );

test('a payment that is reported to two nodes ten times is credited once', async () => {
  const session = stripe.pay((await at(first, `${billing}/purchases`, { usd: 5 })).body.url);
  const events = ['payment_intent.succeeded', 'checkout.session.completed'].map((type, index) =>
    stripe.event(type, index === 0 ? session.payment_intent : session.id),
  );
  const sent = await Promise.all([
    ...Array.from({ length: 10 }, (_, index) =>
      stripe.deliver(gateway.nodes[index % 2]!.url, events[index % 3 && 1]!),
    ),
    ...gateway.nodes.map((node) => at(node, `${billing}/confirm`, { checkout_id: session.id })),
  ]);
  expect(sent.map(({ status }) => status)).toEqual(Array(12).fill(200));
  await waitFor(async () => (await purchased()) === 2_500, 30_000);
  expect(await purchased(second)).toBe(2_500);
  expect(await purchases()).toHaveLength(1);
});

test('two nodes make one automatic purchase at a time within the ceiling', async () => {
  const order = { is_on: true, threshold_credits: 1_000_000, amount_usd: 20, ceiling_usd_per_month: 50 };
  await at(second, `${billing}/auto-reload`, order);
  for (let look = 0; look < 6; look++) await gateway.advance(120, gateway.nodes[look % 2]!);
  await waitFor(async () => (await purchased()) === 22_500, 30_000);
  await gateway.advance(600);
  await gateway.advance(600, second);
  expect(await purchased()).toBe(22_500);
  // A node that finds no payment yet orders it again, with the same key. Stripe makes one payment for a key.
  const orders = stripe.requests.filter(({ path }) => path === '/v1/payment_intents');
  expect(new Set(orders.map(({ key }) => key)).size).toBe(2);
  expect((await at(first, `${billing}/auto-reload`)).body.spent_usd_this_month).toBe(40);
});

test('keys, invitations and members stay within their limits if two nodes add them at once', async () => {
  const { id } = (await first.admin('POST', '/accounts', { name: 'max', plan: 'max' })).body;
  const keys = await gateway.spread(16, (node) => node.admin('POST', `/accounts/${id}/keys`, {}));
  expect(countStatuses(keys)).toEqual({ 201: 6, 409: 10 });
  const invited = await gateway.spread(12, (node, index) =>
    node.admin('POST', `/accounts/${own}/invitations`, { email: `p${index}@ours.example`, role: 'viewer' }),
  );
  expect(countStatuses(invited)).toEqual({ 201: 3, 409: 9 });
  const joined = await Promise.all(
    invited
      .filter(({ status }) => status === 201)
      .map(({ body }, index) => {
        const invitation = decodeURIComponent(body.link.split('#token=')[1]);
        const person = { email: body.email, name: 'One', password: PASSWORD, invitation };
        return callDashboard(gateway.nodes[index % 2]!, '/session/sign-up', { body: person });
      }),
  );
  expect(countStatuses(joined)).toEqual({ 200: 1, 409: 2 });
  expect((await at(second, `/organizations/${own}/members`)).body.data).toHaveLength(2);
});
