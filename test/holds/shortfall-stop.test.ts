import { afterAll, expect, test } from 'bun:test';
import { answerAnyWire } from '../support/answer-any-wire.ts';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { answerStatus, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig, sampleModels } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { startWebhook } from '../support/start-webhook.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

const upstream = startRecordingUpstream();
const alerts = startWebhook();
const sample = sampleConfig(upstream.url);
const searching = ableModel(
  'test-searching',
  [{ provider: 'hidden-anthropic-messages', model: 'hidden-searching' }],
  { extras_usd: { web_search: 10 } },
);
const broken = ableModel('test-broken', [{ provider: 'hidden-anthropic-messages', model: 'hidden-broken' }], {
  extras_usd: { web_search: 10 },
  delivery: 'optimized',
  comparable: ['test-searching'],
});
const server = await startServer({
  config: {
    ...sample,
    catalog: { ...sample.catalog, models: [...sampleModels, searching, broken] },
    limits: { shortfall_stop_credits: 5 },
    alerts: { webhooks: [{ url: alerts.url, secret: 'whsec_hidden', events: ['shortfall_stop'] }] },
  },
});
upstream.answer('hidden-searching', answerAnyWire);
upstream.answer('hidden-broken', answerStatus(500));
afterAll(async () => {
  await server.stop();
  await Promise.all([upstream.stop(), alerts.stop()]);
});

const account = (id: string): Promise<Json> => server.readAccount(id);

/** Sends a request in pay-as-you-go mode that costs 5.1 credits, on an account with 2. */
async function fallShort(key: { key: string; account: string }): Promise<void> {
  await server.giveCredits(key.account, 2);
  upstream.answer('hidden-test-small', answerWithUsage(10_000, 50));
  const body = chatBody('@svc/test-small', { max_tokens: 50 });
  const headers = { ...bearer(key.key), 'x-svc-payment-mode': 'payg' };
  const answer = await server.call('/v1/chat/completions', { headers, body });
  expect(answer.status).toBe(200);
}

const search = { type: 'web_search_20250305', name: 'web_search' };
const own = { name: 'own', input_schema: { type: 'object' } };
const ask = (key: { key: string }, tools: Json[], model = 'test-searching') =>
  server.call('/v1/messages', {
    headers: bearer(key.key),
    body: { model, max_tokens: 50, messages: [{ role: 'user', content: 'Hello.' }], tools },
  });

test('shortfalls of 30 days stop the hosted tools of an account until an operator clears the stop [CRD-49]', async () => {
  const key = await server.createKey('payg');
  await fallShort(key);
  expect((await account(key.account)).hosted_tools_stopped).toBeUndefined();
  await fallShort(key);
  await waitFor(async () => (await account(key.account)).hosted_tools_stopped === true);
  await alerts.arrives('shortfall_stop');
  expect(alerts.of('shortfall_stop')[0].data).toMatchObject({
    account_id: key.account,
    shortfall_credits: 6.2,
  });
  await server.giveCredits(key.account, 50_000);
  const refused = await ask(key, [search]);
  expect({
    status: refused.status,
    code: refused.headers.get('x-svc-error-code'),
    message: refused.body.error.message,
  }).toEqual({
    status: 402,
    code: 'insufficient_paid_credit',
    message: expect.stringContaining('Hosted tools are stopped'),
  });
  const without = await ask(key, [search, own]);
  expect({
    status: without.status,
    losses: without.headers.get('x-svc-translation-losses'),
  }).toEqual({ status: 200, losses: 'web-search' });
  const cleared = await server.admin('POST', `/accounts/${key.account}/shortfall/clear`);
  expect({ status: cleared.status, hosted_tools_stopped: cleared.body.hosted_tools_stopped }).toEqual({
    status: 200,
    hosted_tools_stopped: undefined,
  });
  await waitFor(async () => (await ask(key, [search])).status === 200);
  await fallShort(await server.createKey('payg'));
  expect((await account(key.account)).hosted_tools_stopped).toBeUndefined();
});

test('a substitute gets no hosted tools of an account whose hosted tools are stopped [CRD-49]', async () => {
  const key = await server.createKey('pro');
  await fallShort(key);
  await fallShort(key);
  await waitFor(() => alerts.of('shortfall_stop').some(({ data }) => data.account_id === key.account));
  upstream.forget();
  const { status, headers } = await ask(key, [search, own], 'test-broken');
  expect({ status, servedBy: headers.get('x-svc-served-by') }).toEqual({
    status: 200,
    servedBy: 'test-searching',
  });
  expect(upstream.requests.map(({ body }) => body.tools)).toEqual([[own], [own]]);
});

test('the stop of an unknown account cannot be cleared', async () => {
  expect((await server.admin('POST', '/accounts/acct_none/shortfall/clear')).status).toBe(404);
});
