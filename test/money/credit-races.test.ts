import { afterAll, expect, test } from 'bun:test';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';

const upstream = startRecordingUpstream();
const server = await startServer({ config: { ...sampleConfig(upstream.url), plans: wideLimits } });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const MANY = 1_000;
const PAID = 50;
const OUTPUT = 20;
const body = chatBody('test-small', { max_tokens: OUTPUT });
const account = ({ account }: CreatedKey): Promise<Json> => server.readAccount(account);
const entriesOf = ({ account }: CreatedKey): Promise<Json[]> => usageEntries(server, account);

/** The prices of the model, in micro-credits a token. */
const RATES = { input: 500, output: 2_000 };

/** Returns the highest cost of one request, which is also its charge. */
async function costOfOne(): Promise<number> {
  const { key } = await server.createKey('pro');
  const { body: quote } = await server.call('/v1/quote', { headers: bearer(key), body });
  const maxInput = (quote.credits.highest * 1e6 - OUTPUT * RATES.output) / RATES.input;
  upstream.answer('hidden-test-small', answerWithUsage(Math.round(maxInput), OUTPUT));
  return quote.credits.highest;
}

async function outcomes(ask: () => Promise<{ status: number; body: Json }>): Promise<Record<string, number>> {
  const answers = await Promise.all(Array.from({ length: MANY }, ask));
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const name = answer.status === 200 ? 'served' : `${answer.status} ${answer.body.error.code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test('a balance for fifty serves exactly fifty of a thousand simultaneous requests [CRD-35] [CRD-20]', async () => {
  const cost = await costOfOne();
  const key = await server.createKey('payg');
  const given = { credits: cost * PAID, balance: 'purchased', reason: 'a test' };
  await server.admin('POST', `/accounts/${key.account}/adjustments`, given);
  const counts = await outcomes(() =>
    server.call('/v1/chat/completions', { headers: bearer(key.key), body }),
  );
  const { served, ...refused } = counts;
  expect(served).toBe(PAID);
  expect(Object.keys(refused).every((name) => /^402 (insufficient_paid|paid)_credit/.test(name))).toBe(true);
  expect((await account(key)).purchased_credits).toBe(0);
  expect(await entriesOf(key)).toHaveLength(PAID);
});

test("serves fifty requests on a key's cap for fifty, and continues to serve another key [CRD-36] [CRD-31]", async () => {
  const cost = await costOfOne();
  const key = await server.createKey('max', { monthly_cap_usd: Number((cost * PAID * 0.002).toFixed(9)) });
  const other = await server.createKey('max', { account: key.account });
  const counts = await outcomes(() =>
    server.call('/v1/chat/completions', { headers: bearer(key.key), body }),
  );
  expect(counts).toEqual({ served: PAID, '402 key_budget_exhausted': MANY - PAID });
  expect((await server.chat(other.key, 'test-small')).status).toBe(200);
});

test('keeps all sums equal to the ledger to the micro-credit under simultaneous requests [CRD-03]', async () => {
  const key = await server.createKey('max');
  let asked = 0;
  upstream.answer('hidden-test-small', (request) => {
    asked += 1;
    return answerWithUsage(7 * asked + 1, 0, { cached: asked % 7 })(request);
  });
  const counts = await outcomes(() =>
    server.call('/v1/chat/completions', { headers: bearer(key.key), body: chatBody('test-small') }),
  );
  expect(counts).toEqual({ served: MANY });
  const listed = await entriesOf(key);
  expect(listed.every(({ microcredits }) => Number.isInteger(microcredits))).toBe(true);
  const sum = listed.reduce((total, { microcredits }) => total + microcredits, 0);
  const { data } = (await server.admin('GET', `/accounts/${key.account}/usage?by=key`)).body;
  expect((await account(key)).credits.used * 1e6).toBe(sum);
  expect(data[0].microcredits).toBe(sum);
  expect(await server.ledgerFaults()).toEqual([]);
});
