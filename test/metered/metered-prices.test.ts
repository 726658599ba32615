import { afterAll, expect, test } from 'bun:test';
import { MICROCREDITS_PER_USD } from '../../src/money/ledger/microcredits.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import type { UpstreamAnswer } from '../support/recording-upstream.ts';
import { meteredRows, startMeteredGateway } from './metered-gateway.ts';

const gateway = await startMeteredGateway();
const { server, upstream, createPayer, call, receiptOf, quote, purchasedLeft } = gateway;
afterAll(gateway.stop);

const pictures =
  (count: number, fields: Json = {}): UpstreamAnswer =>
  () =>
    Response.json({
      created: 1,
      provider: 'hidden',
      data: Array.from({ length: count }, () => ({ b64_json: 'aGk=' })),
      ...fields,
    });
const sound =
  (bytes: Uint8Array<ArrayBuffer>, type = 'audio/mpeg'): UpstreamAnswer =>
  () =>
    new Response(bytes, { headers: { 'content-type': type } });

upstream.answer('hidden-image', (request) => {
  const { n, size, quality } = request.body;
  const chosen = { size: size === 'auto' ? '1024x1024' : size, quality: quality ?? 'low' };
  return pictures(n ?? 1, chosen)(request);
});
upstream.answer(
  'hidden-image-by-tokens',
  pictures(1, { usage: { input_tokens: 10, output_tokens: 100, total_tokens: 110 } }),
);
upstream.answer('hidden-speech', sound(Buffer.from('some sound')));
// Raw sound of 2.5 seconds.
upstream.answer(
  'hidden-speech-by-seconds',
  sound(new Uint8Array(120_000), 'audio/pcm; rate=24000; host=hidden'),
);
const ranking: UpstreamAnswer = ({ body: { documents, model } }) =>
  Response.json({
    id: 'hidden',
    model,
    provider: 'hidden',
    results: documents.map((_: unknown, index: number) => ({ index, relevance_score: 0.5 })),
    meta: { billed_units: { search_units: 99 } },
  });
upstream.answer('hidden-rerank', ranking);
upstream.answer('hidden-rerank-by-tokens', async (request) =>
  Response.json({ ...((await (await ranking(request)).json()) as Json), usage: { total_tokens: 40 } }),
);
const judgement: UpstreamAnswer = ({ body: { model } }) =>
  Response.json({ id: 'modr-hidden', model, results: [{ flagged: false }] });
upstream.answer('hidden-moderation', judgement);
upstream.answer('hidden-paid-moderation', judgement);

type Case = {
  name: string;
  path: string;
  body: Json;
  rows: Json[];
  usd: number;
  /** The hold, if it is larger than the cost. */
  held?: number;
};

const GENERATIONS = '/v1/images/generations';
const cases: Case[] = [
  {
    name: 'images by size and quality',
    path: GENERATIONS,
    body: { model: 'image', prompt: 'a lamp', n: 3, size: '1024x1024', quality: 'high' },
    rows: [{ kind: 'image', count: 3, usd_per_unit: 0.167 }],
    usd: 0.501,
  },
  {
    name: 'images whose form the model chooses',
    path: GENERATIONS,
    body: { model: 'image', prompt: 'a lamp', size: 'auto' },
    rows: [{ kind: 'image', count: 1, usd_per_unit: 0.011 }],
    usd: 0.011,
    held: 0.25,
  },
  {
    name: 'images whose size and quality have other letters',
    path: GENERATIONS,
    body: { model: 'image', prompt: 'a lamp', size: ' 1024X1024', quality: 'High' },
    rows: [{ kind: 'image', count: 1, usd_per_unit: 0.167 }],
    usd: 0.167,
  },
  {
    name: 'images of another size',
    path: GENERATIONS,
    body: { model: 'image', prompt: 'a lamp', size: '512x512', quality: 'high' },
    rows: [{ kind: 'image', count: 1, usd_per_unit: 0.25 }],
    usd: 0.25,
  },
  {
    name: 'images by tokens and request',
    path: GENERATIONS,
    body: { model: 'image-by-tokens', prompt: 'a lamp' },
    rows: [
      { kind: 'image', count: 1, usd_per_unit: 0 },
      { kind: 'request', count: 1, usd_per_unit: 0.001 },
    ],
    usd: 0.001 + (10 * 5 + 100 * 40) / 1e6,
    held: 0.001 + ((6 + 32) * 5 + 6_240 * 40) / 1e6,
  },
  {
    name: 'characters, even of four bytes',
    path: '/v1/audio/speech',
    body: { model: 'speech', input: 'Hi 👋🏽 there', voice: 'alloy' },
    rows: [{ kind: 'character', count: 11, usd_per_unit: 0.000015 }],
    usd: 0.000165,
  },
  {
    name: 'seconds of speech',
    path: '/v1/audio/speech',
    body: { model: 'speech-by-seconds', input: 'x'.repeat(100), response_format: 'pcm' },
    rows: [
      { kind: 'second', count: 3, usd_per_unit: 0.00025 },
      { kind: 'character', count: 100, usd_per_unit: 0 },
    ],
    usd: 0.00075,
    held: 101 * 0.00025,
  },
  {
    name: 'documents, whatever the upstream counts',
    path: '/v1/rerank',
    body: { model: 'rerank', query: 'light', documents: ['a lamp', { text: 'a ship' }, 'a cat'] },
    rows: [{ kind: 'document', count: 3, usd_per_unit: 0.002 }],
    usd: 0.006,
  },
  {
    name: 'documents by tokens',
    path: '/v1/rerank',
    body: {
      model: 'rerank-by-tokens',
      query: 'light',
      documents: ['a lamp', 'a ship that is long enough to pay'],
    },
    rows: [{ kind: 'document', count: 2, usd_per_unit: 0 }],
    usd: (40 * 0.05) / 1e6,
    held: (((5 + 8) * 2 + 40) * 0.05) / 1e6,
  },
  {
    name: 'a request',
    path: '/v1/moderations',
    body: { model: 'paid-moderation', input: ['good', 'bad'] },
    rows: [{ kind: 'request', count: 1, usd_per_unit: 0.0001 }],
    usd: 0.0001,
  },
];

for (const { name, path, body, rows, usd, held = usd } of cases)
  test(`bills ${name}: the same amount on hold, quote, receipt and ledger`, async () => {
    const cost = Math.round(usd * MICROCREDITS_PER_USD);
    const most = Math.ceil(held * MICROCREDITS_PER_USD - 1e-6);
    const key = await createPayer(10 * MICROCREDITS_PER_USD);
    const quoteOfRequest = await quote(key, path, body);
    expect(quoteOfRequest.admitted).toBe(true);
    expect(Math.round(quoteOfRequest.credits.highest * 1e6)).toEqual(most);
    expect(quoteOfRequest.max_output_tokens).toBeNull();
    const answer = await call(key, path, body);
    expect(answer.status).toBe(200);
    expect(answer.status === 200 ? '' : answer.text).toBe('');
    expectNoTrace(answer, [upstream.port]);
    const receipt = await receiptOf(key, answer);
    expect(meteredRows(receipt)).toEqual(rows);
    expect(receipt).toMatchObject({
      endpoint: path,
      held_microcredits: most,
      microcredits: cost,
      list_cost_microcredits: cost,
      max_output_tokens: null,
      outcome: 'complete',
    });
    expect(await purchasedLeft(key)).toBe(10 * MICROCREDITS_PER_USD - cost);
  });

test('refuses with 402 what the credit does not cover, and answers what it covers exactly', async () => {
  const body = { model: 'image', prompt: 'a lamp', n: 2, size: '1024x1024', quality: 'high' };
  const cost = Math.round(0.334 * MICROCREDITS_PER_USD);
  const poor = await createPayer(cost - 1);
  const refused = await call(poor, GENERATIONS, body);
  expect(refused).toMatchObject({ status: 402, body: { error: { code: 'insufficient_paid_credit' } } });
  expect((await quote(poor, GENERATIONS, body)).checks.credits.status).toBe(402);
  const rich = await createPayer(cost);
  expect((await call(rich, GENERATIONS, body)).status).toBe(200);
  expect(await purchasedLeft(rich)).toBe(0);
});

test("a key's cap refuses the hold of one image too many", async () => {
  const { account } = await createPayer(10 * MICROCREDITS_PER_USD);
  const created = await server.admin('POST', `/accounts/${account}/keys`, {
    name: 'capped',
    monthly_cap_usd: 0.3,
  });
  const key = { ...created.body, account };
  const body = { model: 'image', prompt: 'a lamp', size: '1024x1024', quality: 'high' };
  expect((await call(key, GENERATIONS, body)).status).toBe(200);
  const refused = await call(key, GENERATIONS, body);
  expect(refused).toMatchObject({ status: 402, body: { error: { code: 'key_budget_exhausted' } } });
});

test('a subscription pays for a metered request with its monthly credits', async () => {
  const key = await server.createKey('enterprise');
  const answer = await call(key, '/v1/rerank', { model: 'rerank', query: 'q', documents: ['a'] });
  const receipt = await receiptOf(key, answer);
  expect({ balance: receipt.balance, microcredits: receipt.microcredits }).toEqual({
    balance: 'monthly',
    microcredits: 0.002 * MICROCREDITS_PER_USD,
  });
  const { body } = await server.call('/v1/usage?by=model', { headers: bearer(key.key) });
  expect(body.data).toMatchObject([{ model: 'rerank', requests: 1, microcredits: 1_000_000 }]);
});

test('a verification of the ledger finds no fault in metered entries', async () => {
  const { status, body } = await server.admin('GET', '/ledger/verify');
  expect({ status, faults: body.faults }).toEqual({ status: 200, faults: [] });
});
