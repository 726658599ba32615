import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS } from '../../src/base/lib/units.ts';
import { calendarMonth } from '../../src/money/ledger/calendar-month.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { type SignedInPerson, signInAsOperator, signInWithPassword } from './sign-in.ts';
import { startFakeStripe, stripeSettings } from './support/fake-stripe.ts';

const stripe = startFakeStripe();
const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-billing-'));
const config = { ...sampleConfig('http://127.0.0.1:9'), billing: { stripe: stripeSettings(stripe) } };
const start = () => startServer({ config, dataDirectory, environment: { TOLLGATE_TEST_CLOCK: '1' } });
let server = await start();
let owner: SignedInPerson = await signInAsOperator(server);
afterAll(async () => {
  await server.stop();
  stripe.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});
const own: string = (await owner.call('/session')).body.organizations[0].id;
const billing = `/organizations/${own}/billing`;
const purchased = async (): Promise<number> => (await owner.call(billing)).body.purchased_credits;
const advance = (seconds: number) => server.admin('POST', '/test/clock', { advance_s: seconds });
const now = async (): Promise<number> => Date.parse((await advance(1)).body.now);

/** Moves the clock to a time, and signs in again, since sessions end on the way. */
async function advanceTo(at: number): Promise<void> {
  await advance(Math.max(1, Math.ceil((at - (await now())) / 1_000)));
  owner = await signInWithPassword(server, owner.email);
}

async function crash(): Promise<void> {
  server.signal('SIGKILL');
  await server.exited;
  server = await start();
  owner = await signInWithPassword(server, owner.email);
}

test('a payment whose server is killed before the credit is credited once after the next start', async () => {
  const { body } = await owner.call(`${billing}/purchases`, { body: { usd: 20 } });
  const session = stripe.pay(body.url);
  stripe.state.isAway = true;
  const event = stripe.event('payment_intent.succeeded', session.payment_intent);
  expect((await stripe.deliver(server.url, event)).status).toBe(200);
  await crash();
  expect(await purchased()).toBe(0);
  stripe.state.isAway = false;
  await advance(3_600);
  await waitFor(async () => (await purchased()) === 10_000, 30_000);
  expect((await stripe.deliver(server.url, event)).status).toBe(200);
  await crash();
  await advance(3_600);
  const { data } = (await owner.call(`${billing}/entries`)).body;
  expect(data.filter(({ kind }: { kind: string }) => kind === 'purchase')).toHaveLength(1);
  expect(await purchased()).toBe(10_000);
});

test('an automatic purchase whose server is killed is paid once, and never exceeds the ceiling', async () => {
  const isReload = ({ metadata }: { metadata?: { reload?: string } }) => metadata?.reload !== undefined;
  const payments = () => [...stripe.kept.values()].filter(isReload);
  // The ceiling counts within a month, so a month that is almost over is left first.
  const before = await now();
  const monthEnd = calendarMonth(before).endsAt;
  const startedAt = monthEnd - before < 6 * HOUR_MS ? monthEnd + HOUR_MS : before;
  await advanceTo(startedAt);
  stripe.state.isStuck = true;
  const body = { is_on: true, threshold_credits: 1_000_000, amount_usd: 20, ceiling_usd_per_month: 30 };
  expect((await owner.call(`${billing}/auto-reload`, { body })).status).toBe(200);
  await advance(1);
  await waitFor(() => payments().length === 1, 30_000);
  await crash();
  stripe.state.isStuck = false;
  expect(await purchased()).toBe(10_000);
  // The clock of a new server on the embedded store begins again.
  await advanceTo(startedAt + 2 * HOUR_MS);
  await waitFor(async () => (await purchased()) === 20_000, 30_000);
  await advance(3_600);
  expect((await owner.call(`${billing}/auto-reload`)).body).toMatchObject({ spent_usd_this_month: 20 });
  expect(payments()).toHaveLength(1);
});
