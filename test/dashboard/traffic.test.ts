import { afterAll, beforeAll, expect, test } from 'bun:test';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { batchClient, chatFlavor } from '../support/batch-client.ts';
import type { Json } from '../support/call.ts';
import { HIDDEN, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { type SignedInPerson, signInAsOperator } from './sign-in.ts';
import { checkPage } from './support/check-page.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { browserTest, expectSound, fullBrowserTest, untilShown, useBrowser } from './support/use-browser.ts';

const upstream = startRecordingUpstream();
const server = await startServer({
  config: {
    providers: [{ id: `${HIDDEN}-openai-chat`, wire: 'openai-chat', base_url: upstream.url }],
    catalog: {
      default: false,
      models: [
        sampleModel('one', { pricing_usd_per_mtok: { input: 1_000, output: 4_000 } }),
        sampleModel('two', {
          pricing_usd_per_mtok: {
            input: 500,
            output: 2_000,
            conditions: [{ name: 'long', above_input_tokens: 50, factor: 4 }],
          },
        }),
        sampleModel('moody'),
      ],
    },
  },
});
afterAll(() => Promise.all([server.stop(), upstream.stop()]));
const { openPage } = useBrowser(server);

let operator: SignedInPerson;
let own = '';
let ada: CreatedKey;
let poor: CreatedKey;
let requestId = '';
const read = async (path: string): Promise<Json> => (await operator.call(path)).body;

beforeAll(async () => {
  operator = await signInAsOperator(server);
  own = (await read('/session')).organizations[0].id;
  await server.admin('PATCH', `/accounts/${own}`, { plan: 'enterprise' });
  ada = await server.createKey('enterprise');
  await server.admin('PATCH', `/accounts/${ada.account}`, { name: 'Ada Works' });
  poor = await server.createKey('pro', { payg: true });
  await server.admin('PATCH', `/accounts/${poor.account}`, { name: 'Poor Works' });
  for (const model of ['one', 'two'])
    upstream.answer(`${HIDDEN}-${model}`, answerWithUsage(100, 10, { cached: 50 }));
  let tries = 0;
  upstream.answer(`${HIDDEN}-moody`, (request) =>
    ++tries < 3
      ? Response.json({ error: { message: 'later' } }, { status: 500, headers: { 'retry-after': '0' } })
      : answerWithUsage(10, 1)(request),
  );
  for (let count = 0; count < 3; count++) await server.chat(ada.key, 'one', { stream: true });
  requestId = (await server.chat(ada.key, 'one')).headers.get('x-request-id')!;
  await server.chat(poor.key, 'one');
  const mine = await server.createKey('enterprise', { account: own, name: 'laptop' });
  await server.chat(mine.key, 'one');
  await server.chat(mine.key, 'nothing');
  const client = batchClient(server, { flavor: chatFlavor, key: mine.key });
  const batch = await client.create(['moody']);
  await waitFor(async () => (await client.view(batch.id)).processing_status === 'ended', 50_000);
  await operator.call(`/organizations/${own}/playground/chat`, {
    body: { model: 'one', messages: [{ role: 'user', content: 'hello' }] },
  });
  await waitFor(async () => (await read('/operator/traffic?source=playground')).totals.requests === 1);
  await waitFor(async () => (await read('/operator/traffic?source=batch')).totals.requests === 1);
  await waitFor(async () => (await read('/operator/refusals?kind=requests')).data.length === 2);
  await waitFor(async () => (await read('/operator/requests?source=playground')).data.length === 1);
});

test('an item of a batch is one row whatever its retries, and its failed attempts are calls alone', async () => {
  const batch = await read('/operator/traffic?source=batch');
  expect(batch.totals).toMatchObject({ requests: 1, errors: 0, refused: 0, attempts: 3, failed_attempts: 2 });
  const { data } = await read('/operator/requests?source=batch');
  expect(data).toMatchObject([{ source: 'batch', status: 200, served_model: 'moody' }]);
  const { data: ofMember } = await read(`/organizations/${own}/requests?source=playground`);
  expect(ofMember).toMatchObject([{ source: 'playground', served_model: 'one' }]);
  const { data: ofApi } = await read(`/organizations/${own}/requests?source=api`);
  expect(ofApi.every(({ source }: Json) => source === 'api')).toBe(true);
  const errors = await server.admin('GET', `/requests?account=${own}&status=5xx`);
  expect(errors.body.data).toEqual([]);
});

test('members read the traffic of their organization, without providers and what they cost', async () => {
  const path = `/organizations/${own}/traffic?group_by=source&compare=previous`;
  const answer = await operator.call(path);
  expect(answer.text).not.toContain(HIDDEN);
  for (const hidden of ['spend_usd', 'margin_usd', 'attempts', 'provider'])
    expect(answer.text).not.toContain(hidden);
  const groups = Object.fromEntries(answer.body.groups.map((one: Json) => [one.group, one]));
  expect(groups).toMatchObject({ batch: { requests: 1 }, playground: { requests: 1, cache_share: 0.5 } });
  expect(answer.body.previous).toMatchObject({ requests: 0 });
  expect((await operator.call(`/organizations/${ada.account}/traffic`)).status).toBe(404);
  expect((await operator.call(`/organizations/${own}/traffic?group_by=provider`)).status).toBe(400);
});

test('a request has the lines of its cost, and what it would have cost on another model or row', async () => {
  const path = `/operator/requests/${requestId}/cost`;
  const cost = await read(path);
  expect(cost).toMatchObject({ request_id: requestId, model: 'one', microcredits: 70_000_000 });
  expect(Object.keys(cost)).not.toContain('what_if');
  expect(cost.lines.reduce((sum: number, line: Json) => sum + line.microcredits, 0)).toBe(70_000_000);
  expect(await read(`${path}?model=two`)).toMatchObject({
    what_if: true,
    microcredits: 4 * 35_000_000,
    difference_microcredits: 70_000_000,
    lines: [{ row: 'long', condition: 'above 50 input tokens' }, {}, {}],
  });
  expect(await read(`${path}?model=two&row=0`)).toMatchObject({ difference_microcredits: -35_000_000 });
  expect((await operator.call(`${path}?model=none`)).status).toBe(404);
  expect((await operator.call(`${path}?row=7`)).body.error.param).toBe('row');
  expect((await operator.call(`/organizations/${own}/requests/${requestId}/cost`)).status).toBe(404);
  expect((await operator.call('/operator/requests/req_none/cost')).status).toBe(404);
});

browserTest('the questions of an operator are answered within three clicks', async () => {
  const page = await openPage('/operator', { person: operator });
  const row = (name: string) => page.locator('main tbody tr', { hasText: name });
  const open = (name: string) => page.getByRole('link', { name, exact: true }).first().click();

  // What did an account cost me this week, and what did I earn?
  await open('Traffic');
  await page.getByLabel('Time', { exact: true }).selectOption('7d');
  await page.getByLabel('Group by').selectOption('account');
  await row('Ada Works').waitFor();
  const traffic = await read('/operator/traffic?group_by=account');
  const { spend_usd, revenue_usd } = traffic.groups.find((one: Json) => one.group === ada.account);
  expect(spend_usd).toBeCloseTo(4 * 0.14, 9);
  const shown = await row('Ada Works').innerText();
  expect(shown).toContain(`$${revenue_usd.toFixed(2)}`);

  // Which model got slower since yesterday?
  await page.goto('/operator');
  await open('Traffic');
  await page.getByLabel('Group by').selectOption('model');
  await row('moody').waitFor();
  expect(await page.locator('thead').last().innerText()).toContain('Latency p95');
  await expectAccessible(page);
  await row('moody').getByRole('link').click();
  await page.waitForURL(/model=moody/);

  // Why does a customer get 402?
  await page.goto('/operator');
  await open('Accounts');
  await open('Poor Works');
  await row('paid_credit_required').waitFor();
  expect(await row('paid_credit_required').innerText()).toContain('purchased credit');
  await expectAccessible(page);
  await page.goto('/operator');
  await row('paid_credit_required').getByRole('link').click();
  await page.waitForURL(`**/operator/accounts/${poor.account}`);
  await expectSound(page);
});

browserTest('a page whose span moves on shows its latest figures until the next ones arrive', async () => {
  const page = await openPage('about:blank', { person: operator });
  await page.clock.install();
  for (const address of ['/operator/traffic?span=1h', '/requests?hours=1', '/operator/requests?hours=1']) {
    await page.goto(address);
    await untilShown(page);
    await page.evaluate(() => {
      const look = () => {
        if (document.querySelector('main .skeleton')) document.title = 'flashed';
      };
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    });
    const asked = page.waitForResponse(/(traffic|requests)\?/);
    await page.clock.runFor(90_000);
    await asked;
    expect(await page.title()).not.toBe('flashed');
  }
});

browserTest('the figures above the requests lead to the requests that they count', async () => {
  const page = await openPage('/requests?model=moody&hours=24&user=eve', { person: operator });
  await page.getByRole('link', { name: 'Errors' }).click();
  await page.waitForURL('**/requests?model=moody&hours=24&status=5xx');
});

fullBrowserTest(
  'a receipt answers why a request cost what it did, and what another model would have cost',
  async () => {
    const page = await openPage(`/operator/requests/${requestId}`, { person: operator });
    await page.getByRole('heading', { name: 'Why this cost' }).waitFor();
    await page.getByLabel('Price on another model').fill('two');
    await page.getByText('70 more', { exact: false }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    const account = page.locator('main dd .titled').first().locator(':scope > *');
    const starts = await account.evaluateAll((parts) =>
      parts.map((part) => part.getBoundingClientRect().left),
    );
    expect(starts).toEqual([starts[0]!, starts[0]!]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto('/requests');
    await page.getByText('Latency p95').waitFor();
    await page.getByLabel('Source').selectOption('batch');
    await page.locator('main tbody tr', { hasText: 'moody' }).waitFor();
    expect(await page.locator('main').innerText()).not.toContain(HIDDEN);
    await checkPage(page);
  },
);
