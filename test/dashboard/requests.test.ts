import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { RequestDetail, RequestPageView } from '../../src/console/dashboard/request-schema.ts';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { HIDDEN, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { callDashboard, type SignedInPerson, signInAsOperator } from './sign-in.ts';
import { checkPage } from './support/check-page.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { browserTest, expectSound, fullBrowserTest, useBrowser } from './support/use-browser.ts';

const upstream = startRecordingUpstream();
const server = await startServer({
  config: {
    providers: [{ id: `${HIDDEN}-openai-chat`, wire: 'openai-chat', base_url: upstream.url }],
    catalog: {
      default: false,
      models: [sampleModel('one'), sampleModel('paid', { plan: 'payg' })],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

let owner: SignedInPerson;
let account = '';
let key = '';

const list = async (query = ''): Promise<RequestPageView> =>
  (await owner.call(`/organizations/${account}/requests${query}`)).body;

/** Waits for the record of a request. */
async function show(id: string): Promise<RequestDetail> {
  const at = `/organizations/${account}/requests/${id}`;
  await waitFor(async () => (await owner.call(at)).body.request != null);
  return (await owner.call(at)).body;
}

const idOf = ({ headers }: { headers: Headers }): string => headers.get('x-request-id')!;

beforeAll(async () => {
  owner = await signInAsOperator(server);
  account = (await owner.call('/session')).body.organizations[0].id;
  await server.admin('PATCH', `/accounts/${account}`, { plan: 'enterprise' });
  key = (await server.createKey('enterprise', { account, name: 'laptop' })).key;
  upstream.answer(`${HIDDEN}-one`, answerWithUsage(100, 10, { cached: 40 }));
});

test('a completed request is shown with its receipt, and without its provider', async () => {
  const answer = await server.chat(key, 'one', { user: 'ada', stream: true });
  const shown = await show(idOf(answer));
  expect(shown.request).toMatchObject({
    status: 200,
    model: 'one',
    served_model: 'one',
    user: 'ada',
    stream: true,
    refusal: null,
    input_tokens: 100,
    output_tokens: 10,
    attempts: 1,
    key_name: 'laptop',
  });
  expect(shown.request!.first_token_ms).toBeGreaterThan(0);
  expect(shown.request!.calls).toMatchObject([{ status: 200, outcome: 'answered' }]);
  expect(shown.receipt).toMatchObject({
    tokens: { uncached_input: 60, cached_input: 40, output: 10 },
    outcome: 'complete',
    delivered: 'yes',
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(shown.receipt!.prices.reduce((sum, { microcredits }) => sum + microcredits, 0)).toBeCloseTo(
    shown.receipt!.microcredits,
    -1,
  );
  expect(JSON.stringify(shown).toLowerCase()).not.toContain(HIDDEN);
  const answerId = shown.id.replace('req_', 'chatcmpl-');
  expect((await list(`?id=${answerId}`)).data.map(({ id }) => id)).toEqual([shown.id]);
});

test('a failed attempt is shown without its upstream', async () => {
  upstream.answer(`${HIDDEN}-one`, () =>
    Response.json({ error: { message: `no ${HIDDEN} today` } }, { status: 500 }),
  );
  const answer = await server.chat(key, 'one');
  upstream.answer(`${HIDDEN}-one`, answerWithUsage(100, 10, { cached: 40 }));
  const shown = await show(idOf(answer));
  expect(shown.request!.calls[0]).toMatchObject({ status: 500, outcome: 'failed' });
  expect(shown.request!.refusal).toMatchObject({ status: answer.status });
  expect(shown.receipt).toBeNull();
  expect(JSON.stringify(shown).toLowerCase()).not.toContain(HIDDEN);
});

test("a cap that is reached is explained with the key's figures", async () => {
  const capped = await server.createKey('enterprise', { account, monthly_cap_usd: 0.000_2 });
  const refused = await waitForStatus(() => server.chat(capped.key, 'one'), 402);
  const { refusal } = (await show(idOf(refused))).request!;
  expect(refusal).toMatchObject({ code: 'key_budget_exhausted', status: 402, advice: { page: '/budgets' } });
  expect(refusal!.sentence).toMatch(/cap of \$0\.0002.*it resets on \d{4}-\d\d-01 00:00:00 UTC\.$/);
});

test('a full window of requests is explained', async () => {
  const limited = await server.createKey('enterprise', { account, limits: { requests_per_min: 2 } });
  const refused = await waitForStatus(() => server.chat(limited.key, 'one'), 429);
  const { refusal } = (await show(idOf(refused))).request!;
  expect(refusal!.sentence).toMatch(/^The key has 2 requests in a minute\. .* There was room again /);
});

test('credit that was never bought, an unknown model and a wrong field are explained', async () => {
  const headers = { ...bearer(key), 'x-svc-mode': 'payg' };
  const unpaid = await server.call('/v1/chat/completions', { headers, body: chatBody('paid') });
  const unpaidSentence = (await show(idOf(unpaid))).request!.refusal?.sentence;
  const unknown = await server.chat(key, 'nothing');
  expect((await show(idOf(unknown))).request!.refusal).toMatchObject({
    code: 'unknown_model',
    status: 404,
    param: 'model',
    advice: { page: '/models' },
    sentence: expect.stringContaining("'nothing'"),
  });
  const wrong = await server.chat(key, 'one', { temperature: 'hot' });
  const { refusal } = (await show(idOf(wrong))).request!;
  expect(refusal).toMatchObject({ code: 'invalid_request', param: 'temperature' });
  expect(unpaidSentence).toBeDefined();
});

test('requests are found by key, model, user, status, code and time', async () => {
  const { data } = await list('?limit=100');
  expect(data.length).toBeGreaterThan(6);
  const [latest] = data;
  const found = async (query: string) => (await list(`?limit=100&${query}`)).data;
  expect((await found('status=4xx')).every(({ status }) => status! >= 400 && status! < 500)).toBe(true);
  expect((await found('code=unknown_model')).map(({ model }) => model)).toEqual(['nothing']);
  expect(await found('user=ada')).toHaveLength(1);
  expect(await found(`until=${data.at(-1)!.ended_at}`)).toEqual([]);
  expect((await found(`key=${latest!.key_id}`))[0]!.id).toBe(latest!.id);
  const [first, second] = (await list('?limit=2')).data;
  expect((await list(`?limit=1&after=${first!.id}`)).data[0]!.id).toBe(second!.id);
  expect((await owner.call(`/organizations/${account}/requests?status=9xx`)).status).toBe(400);
});

test('requests of another organization do not exist', async () => {
  const other = await server.createKey('enterprise');
  const answer = await server.chat(other.key, 'one');
  await waitFor(async () => (await server.admin('GET', `/requests/${idOf(answer)}`)).status === 200);
  expect((await owner.call(`/organizations/${account}/requests/${idOf(answer)}`)).status).toBe(404);
  expect((await list(`?id=${idOf(answer)}`)).data).toEqual([]);
  expect((await owner.call(`/organizations/${other.account}/requests`)).status).toBe(404);
});

test('nobody reads requests without a session or with an ended one', async () => {
  const ended = await signInAsOperator(server, 'second@example.com');
  await ended.call('/session/sign-out', { method: 'POST' });
  for (const path of ['/requests', '/requests/req_1']) {
    expect((await callDashboard(server, `/organizations/${account}${path}`)).status).toBe(401);
    expect((await ended.call(`/organizations/${account}${path}`)).status).toBe(401);
  }
});

type Answered = { status: number; headers: Headers };

async function waitForStatus<T extends Answered>(send: () => Promise<T>, status: number): Promise<T> {
  for (let tries = 0; tries < 20; tries++) {
    const answer = await send();
    if (answer.status === status) return answer;
  }
  throw new Error(`no answer had the status ${status}`);
}

test('content is kept only where an operator turned payload logging on, redacted, and until it is deleted [ADM-50]', async () => {
  const at = `/accounts/${account}/payload_logging`;
  const contentOf = async (id: string) =>
    (await owner.call(`/organizations/${account}/requests/${id}/content`)).body;
  const before = await show(idOf(await server.chat(key, 'one')));
  expect(await contentOf(before.id)).toEqual({ logging: false, content: null });
  expect((await server.admin('PATCH', at, { enabled: true })).body).toEqual({
    account_id: account,
    enabled: true,
  });
  const said = `my key is ${key}`;
  const id = idOf(
    await server.chat(key, 'one', { stream: true, messages: [{ role: 'user', content: said }] }),
  );
  await waitFor(async () => (await contentOf(id)).content !== null);
  const { logging, content } = await contentOf(id);
  expect(logging).toBe(true);
  expect(content).toMatchObject({ request_cut: false, withheld: null });
  expect(content.request).toContain('my key is [redacted]');
  expect(content.answer).toContain('data: [DONE]');
  expect(JSON.stringify(content)).not.toContain(key);
  expect((await server.admin('GET', `/requests/${id}/content`)).body.request).toBe(content.request);
  const { data: read } = (await server.admin('GET', `/audit?target=${id}`)).body;
  expect(read.map(({ action, actor, after }: Json) => [action, actor, after.account_id, after.kind])).toEqual(
    [
      ['content-read', 'admin', account, 'request'],
      ['content-read', owner.email, account, 'request'],
    ],
  );
  expect(read[1].after.times).toBeGreaterThan(1);
  const token = (await server.admin('POST', '/tokens', { name: 'reader', role: 'read_only' })).body;
  const refused = await server.call(`/admin/v1/requests/${id}/content`, { headers: bearer(token.token) });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } });
  expect((await owner.call(`/organizations/${account}/usage/balance`)).body.content_logging).toBe(true);
  expect((await callDashboard(server, `/organizations/${account}/requests/${id}/content`)).status).toBe(401);
  expect((await server.admin('DELETE', `${at}/content`)).body.deleted).toBe(1);
  expect(await contentOf(id)).toEqual({ logging: true, content: null });
  const { data } = (await server.admin('GET', `/audit?target=${account}`)).body;
  expect(data.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['payload-logging', 'payload-delete']),
  );
});

const { openPage } = useBrowser(server);

browserTest('requests are searched in the address, and one opens with its reason', async () => {
  const page = await openPage('/requests?status=failed', { person: owner });
  await page.getByLabel('Error code').fill('unknown_model');
  await page.waitForURL(/code=unknown_model/);
  await waitFor(async () => (await page.locator('tbody tr').count()) === 1);
  await expectAccessible(page);
  await page.locator('tbody a').first().click();
  await page.getByText('404: unknown_model').waitFor();
  expect(await page.locator('main').innerText()).toContain("There is no model 'nothing'");
  await expectAccessible(page);
  await page.goBack();
  await page.waitForURL(/code=unknown_model/);
  await expectSound(page);
});

browserTest(
  'a page after an entry that is gone leads to the first page, and no address breaks it',
  async () => {
    const page = await openPage('/responses?after=resp_gone', { person: owner });
    await page.getByRole('link', { name: 'First page' }).click();
    await page.getByText('No stored responses yet').waitFor();
    await page.goto('/requests?hours=1e300');
    await page.locator('tbody tr').first().waitFor();
  },
);

fullBrowserTest('the page of a completed request shows its receipt, even on a phone', async () => {
  const { id } = await show(idOf(await server.chat(key, 'one')));
  const page = await openPage(`/requests/${id}`, { person: owner, width: 360, dark: true });
  for (const step of ['Hold', 'Attempt 1', 'Posting', 'Hash'])
    await page.getByText(step, { exact: true }).first().waitFor();
  expect((await page.locator('body').innerText()).toLowerCase()).not.toContain(HIDDEN);
  await page.getByText('The content of requests is recorded').first().waitFor();
  await checkPage(page);
});

fullBrowserTest(
  'the list follows new requests by itself, and asks for nothing while no event comes',
  async () => {
    const page = await openPage('/requests?user=late', { person: owner });
    await page.getByText('No request matches the search').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await server.chat(key, 'one', { user: 'late' });
    await page.locator('tbody tr').first().waitFor();
    await expectSound(page);
  },
);

fullBrowserTest('a request whose content is kept opens in the playground', async () => {
  const sent = await server.chat(key, 'one', { temperature: 0.3, logit_bias: { '1': 1 } });
  const { id } = await show(idOf(sent));
  const page = await openPage(`/requests/${id}`, { person: owner });
  await page.getByRole('link', { name: 'Open this request in the playground' }).click();
  await page.getByText('logit_bias').first().waitFor();
  await page.waitForURL((url) => url.searchParams.get('model') === 'one' && !url.searchParams.has('from'));
  expect(await page.getByLabel('Temperature').inputValue()).toBe('0.3');
  expect((await page.getByLabel('Message').inputValue()).length).toBeGreaterThan(0);
  await expectSound(page);
  await page.goto('/playground?from=req_none');
  await page.getByRole('alert').getByText('No request with this id is kept').waitFor();
});

fullBrowserTest("a kept request of Google's clients opens in the playground with its model", async () => {
  const sent = await server.call('/v1beta/models/one:streamGenerateContent?alt=sse', {
    headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello from a path' }] }] },
  });
  const { id } = await show(idOf(sent));
  const page = await openPage(`/requests/${id}`, { person: owner });
  await page.getByRole('link', { name: 'Open this request in the playground' }).click();
  await page.waitForURL(({ searchParams: query }) => query.get('dialect') === 'gemini' && !query.has('from'));
  expect(new URL(page.url()).searchParams.get('model')).toBe('one');
  expect(await page.getByLabel('Message').inputValue()).toBe('Hello from a path');
  expect(await page.getByLabel('Stream the answer').isChecked()).toBe(true);
  await expectSound(page);
});

fullBrowserTest('an unknown request says so', async () => {
  const page = await openPage('/requests/req_none', { person: owner });
  expect(await page.getByRole('alert').innerText()).toContain('No request with this id is kept');
});
