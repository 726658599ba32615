import { afterAll, expect, test } from 'bun:test';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { type Answer, bearer, chatBody, type Json } from '../support/call.ts';
import { countStatuses } from '../support/count-statuses.ts';
import { ledgerEntries, usageEntries } from '../support/ledger-entries.ts';
import { startNodes } from '../support/postgres/start-nodes.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import type { CreatedKey, TestServer } from '../support/start-server.ts';
import { startWebhook, WEBHOOK_SECRET } from '../support/start-webhook.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideCatalog } from '../support/wide-catalog.ts';
import { wideLimits } from '../support/wide-limits.ts';

const upstream = startRecordingUpstream();
const webhook = startWebhook();
afterAll(() => Promise.all([upstream.stop(), webhook.stop()]));
const { nodes, first, spread, each, advance } = await startNodes(3, {
  ...sampleConfig(upstream.url, wideCatalog),
  plans: wideLimits,
  store: { admit_timeout_ms: 4_000 },
  alerts: { webhooks: [{ url: webhook.url, secret: WEBHOOK_SECRET }] },
});

const MODEL = 'test-small';
const OUTPUT = 20;
const USD_PER_CREDIT = 0.002;
/** The prices of the model, in micro-credits a token. */
const RATES = { input: 500, output: 2_000 };
const body = chatBody(MODEL, { max_tokens: OUTPUT });

const chatOn =
  ({ key }: CreatedKey) =>
  (node: TestServer) =>
    node.call('/v1/chat/completions', { headers: bearer(key), body });

const reportUsage = (input: number, output: number) =>
  upstream.answer('hidden-test-small', answerWithUsage(input, output));

const accountOf = ({ account }: CreatedKey, node = first): Promise<Json> => node.readAccount(account);
/** Adds purchased credits, or takes them back. */
const adjust = ({ account }: CreatedKey, credits: number, node = first) =>
  node.admin('POST', `/accounts/${account}/adjustments`, { credits, balance: 'purchased', reason: 'a test' });

const chargesOf = (entries: Json[]): number =>
  entries.reduce((sum, { microcredits }) => sum + microcredits, 0);

/** Answers with this usage after the release. */
function holdAnswers(input: number, output: number): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer = answerWithUsage(input, output);
  upstream.forget();
  upstream.answer('hidden-test-small', (request) => promise.then(() => answer(request)));
  return resolve;
}

/** Makes each request cost the maximum of its quote. Returns that cost in credits. */
async function chargeQuotedMaximum(): Promise<number> {
  const { key } = await first.createKey('pro');
  const { body: quote } = await first.call('/v1/quote', { headers: bearer(key), body });
  const maxInput = (quote.credits.highest * 1e6 - OUTPUT * RATES.output) / RATES.input;
  reportUsage(Math.round(maxInput), OUTPUT);
  return quote.credits.highest;
}

const refusedCodes = (answers: Answer[]) => [
  ...new Set(
    answers.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.error.code}`),
  ),
];

test('serves and bills fifty of a thousand simultaneous requests on a balance for fifty', async () => {
  const cost = await chargeQuotedMaximum();
  const key = await first.createKey('payg');
  await first.giveCredits(key.account, cost * 50);
  const ask = chatOn(key);
  // An admission can time out on a loaded machine.
  const askUntilAdmitted = async (node: TestServer): Promise<Answer> => {
    const answer = await ask(node);
    return answer.status === 503 ? askUntilAdmitted(node) : answer;
  };
  const answers = await spread(1_000, askUntilAdmitted);
  expect(countStatuses(answers)).toEqual({ 200: 50, 402: 950 });
  expect(refusedCodes(answers).every((code) => /^402 (insufficient_paid|paid)_credit/.test(code))).toBe(true);
  for (const { purchased_credits } of await each((node) => accountOf(key, node)))
    expect(purchased_credits).toBe(0);
  const entries = await usageEntries(first, key.account);
  expect(entries).toHaveLength(50);
  expect(new Set(entries.map(({ request_id }) => request_id)).size).toBe(50);
});

test('a cap of a key holds over all nodes, which send each of its alerts once', async () => {
  const cost = await chargeQuotedMaximum();
  const { account } = await first.createKey('payg');
  const fields = { account, monthly_cap_usd: cost * 10 * USD_PER_CREDIT };
  const capped = await first.createKey('payg', fields);
  await first.giveCredits(capped.account, cost * 1_000);
  const answers = await spread(90, chatOn(capped));
  expect(countStatuses(answers)).toEqual({ 200: 10, 402: 80 });
  expect(refusedCodes(answers)).toEqual(['402 key_budget_exhausted']);
  expect(chargesOf(await usageEntries(first, capped.account))).toBe(cost * 10 * 1e6);
  const reported = (event: string) =>
    webhook.of(event).filter(({ data }) => JSON.stringify(data).includes(capped.id));
  await waitFor(() => reported('cap_100').length > 0);
  await spread(9, chatOn(capped));
  const { data } = (await first.admin('GET', '/alerts?limit=1000')).body;
  const kept = data.filter((alert: Json) => JSON.stringify(alert).includes(capped.id));
  expect(kept.map(({ event }: Json) => event).sort()).toEqual(['cap_100', 'cap_80']);
  await waitFor(() => reported('cap_80').length > 0);
  for (const event of ['cap_80', 'cap_100']) expect(reported(event)).toHaveLength(1);
});

test('only requests under way overshoot monthly credits, which are renewed once', async () => {
  const key = await first.createKey('starter');
  const release = holdAnswers(2_000_000, 0); // a thousand credits each
  const asked = spread(9, chatOn(key));
  await waitFor(() => upstream.requests.length === 9).finally(release);
  expect(countStatuses(await asked)).toEqual({ 200: 9 });
  expect(countStatuses(await each(chatOn(key)))).toEqual({ 402: 3 });
  expect((await accountOf(key, nodes[1])).credits).toMatchObject({ limit: 2_500, used: 9_000 });
  await advance(32 * 86_400, nodes[2]);
  await waitFor(async () => {
    const accounts = await each((node) => accountOf(key, node));
    return accounts.every(({ credits }) => credits.used === 0);
  });
  reportUsage(7, 3);
  expect(countStatuses(await spread(30, chatOn(key)))).toEqual({ 200: 30 });
  expect(await ledgerEntries(first, key.account, 'renewal')).toHaveLength(1);
});

test('usage, receipts and records are the same on all nodes as soon as a request is answered', async () => {
  reportUsage(1_000, 20);
  const key = await first.createKey('pro');
  const answers = await spread(6, chatOn(key));
  const usage = await each(async (node) => {
    const { body } = await node.call('/v1/usage', { headers: bearer(key.key) });
    return body;
  });
  expect(usage[0].data.reduce((sum: number, { requests }: Json) => sum + requests, 0)).toBe(6);
  for (const other of usage) expect(other.data).toEqual(usage[0].data);
  for (const { headers } of answers) {
    const path = `/v1/usage/${headers.get('x-svc-request-id')}`;
    const receipts = await each((node) => node.call(path, { headers: bearer(key.key) }));
    expect(countStatuses(receipts)).toEqual({ 200: 3 });
    expect(new Set(receipts.map(({ text }) => text)).size).toBe(1);
    const record = `/requests/${headers.get('x-svc-request-id')}`;
    for (const node of nodes) await waitFor(async () => (await node.admin('GET', record)).status === 200);
  }
});

test('a balance is never negative while grants, negative adjustments and requests race', async () => {
  const cost = await chargeQuotedMaximum();
  const key = await first.createKey('payg');
  await first.giveCredits(key.account, cost * 30);
  const [answers, changes] = await Promise.all([
    spread(90, chatOn(key)),
    Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        adjust(key, index % 2 ? cost * 5 : -cost * 5, nodes[index % 3]!),
      ),
    ),
  ]);
  const given = changes.reduce((sum, { status }, index) => {
    const change = index % 2 ? 5 : -5;
    return status === 201 ? sum + change : sum;
  }, 30);
  const served = countStatuses(answers)[200]!;
  const { purchased_credits } = await accountOf(key);
  expect(purchased_credits).toBeGreaterThanOrEqual(0);
  expect(purchased_credits).toBeCloseTo(
    cost * given - chargesOf(await usageEntries(first, key.account)) / 1e6,
    6,
  );
  expect(await usageEntries(first, key.account)).toHaveLength(served);
});

test('the ledger has no fault afterwards, whichever node verifies it', async () => {
  expect((await each((node) => node.ledgerFaults())).flat()).toEqual([]);
});
