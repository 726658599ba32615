import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { UsageReport } from '../../src/console/dashboard/usage-schema.ts';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { HIDDEN, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { callDashboard, type SignedInPerson, signInAsOperator } from './sign-in.ts';
import { checkPage } from './support/check-page.ts';
import { browserTest, expectSound, fullBrowserTest, untilShown, useBrowser } from './support/use-browser.ts';

const upstream = startRecordingUpstream();

const provider = { id: `${HIDDEN}-openai-chat`, wire: 'openai-chat', base_url: upstream.url };
const server = await startServer({
  config: {
    providers: [provider],
    catalog: { default: false, models: [sampleModel('one'), sampleModel('two')] },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

let owner: SignedInPerson;
let account = '';
let key: Awaited<ReturnType<typeof server.createKey>>;
const usage = (query = '') => owner.call(`/organizations/${account}/usage${query}`);

beforeAll(async () => {
  owner = await signInAsOperator(server);
  account = (await owner.call('/session')).body.organizations[0].id;
  await server.admin('PATCH', `/accounts/${account}`, { plan: 'enterprise' });
  key = await server.createKey('enterprise', { account, name: '=laptop, "mine"' });
  for (const model of ['one', 'two'])
    upstream.answer(`${HIDDEN}-${model}`, answerWithUsage(100, 10, { cached: 40 }));
  const sent: [string, Record<string, unknown>][] = [
    ['one', { user: 'ada' }],
    ['one', { user: 'ada', stream: true }],
    ['one', { safety_identifier: 'bo' }],
    ['two', {}],
    ['nothing', { user: 'ada' }],
    ['one', { temperature: 'hot' }],
  ];
  for (const [model, fields] of sent) await server.chat(key.key, model, fields);
  await waitFor(async () => (await usage()).body.totals.errors === 2);
});

test('the totals, the series and the groups of a span come from the same sums', async () => {
  const report: UsageReport = (await usage('?step=hour&by=model&metric=requests')).body;
  expect(report.totals).toMatchObject({ requests: 4, errors: 2 });
  expect(report.totals).toMatchObject({
    uncached_input_tokens: 240,
    cached_input_tokens: 160,
    output_tokens: 40,
  });
  expect(report.totals.microcredits).toBeGreaterThan(0);
  expect(report.groups.map(({ id, requests }) => [id, requests])).toEqual([
    ['one', 3],
    ['two', 1],
    ['', 0],
  ]);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  expect(sum(report.groups.flatMap(({ values }) => values))).toBe(4);
  for (const figure of ['requests', 'errors', 'output_tokens', 'microcredits'] as const)
    expect(sum(report.series[figure])).toBe(report.totals[figure]);
  expect(report.times).toHaveLength(report.series.requests.length);
  expect(report.codes).toEqual([
    { code: 'invalid_request', status: 400, errors: 1 },
    { code: 'unknown_model', status: 404, errors: 1 },
  ]);
  expect(report.previous?.requests).toBe(0);
  expect(report.models).toEqual(['one', 'two']);
});

test('usage is grouped by key and by the end user that a request named', async () => {
  const byKey: UsageReport = (await usage('?by=key&metric=errors')).body;
  expect(byKey.groups).toMatchObject([{ id: key.id, requests: 4, errors: 2 }]);
  const byUser: UsageReport = (await usage('?by=user&metric=requests')).body;
  expect(byUser.groups.map(({ id, requests, errors }) => [id, requests, errors])).toEqual([
    ['ada', 2, 1],
    ['', 1, 1],
    ['bo', 1, 0],
  ]);
  expect(byUser.totals.requests).toBe(4);
});

test('one answer has the names of all keys, and reports and lists of requests have only ids', async () => {
  const at = `/organizations/${account}`;
  const names = (await owner.call(`${at}/keys/names`)).body.data;
  expect(names).toContainEqual({ id: key.id, name: '=laptop, "mine"', hint: expect.any(String) });
  expect((await usage('?by=key')).body).not.toHaveProperty('keys');
  expect((await usage('?by=key')).text).not.toContain('laptop');
  expect((await owner.call(`${at}/requests`)).body).not.toHaveProperty('keys');
  expect((await callDashboard(server, `${at}/keys/names`)).status).toBe(401);
});

test('filters apply to charges and to errors', async () => {
  const ofUser: UsageReport = (await usage('?user=ada')).body;
  expect(ofUser.totals).toMatchObject({ requests: 2, errors: 1, output_tokens: 20 });
  const ofModel: UsageReport = (await usage('?model=one')).body;
  expect(ofModel.totals).toMatchObject({ requests: 3, errors: 1 });
  expect((await usage('?key=key_none')).body.totals).toMatchObject({ requests: 0, errors: 0 });
});

test('usage is exported as CSV, and no name becomes a formula', async () => {
  const file = await usage('/csv?step=day');
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(file.headers.get('content-disposition')).toContain('attachment');
  const [header, ...lines] = file.text.trim().split('\r\n');
  expect(header).toBe(
    'day,key_id,key_name,model,requests,errors,uncached_input_tokens,cached_input_tokens,output_tokens,microcredits',
  );
  const one = lines.find((line) => line.includes(',one,'))!;
  expect(one).toContain(`${key.id},"'=laptop, ""mine""",one,3,1,180,120,30,`);
  const byUser = await usage('/csv?step=hour&by=user');
  expect(byUser.text.split('\r\n').filter((line) => line.includes(',ada,'))).toHaveLength(2);
});

test('the balance says what is left and when it resets', async () => {
  const { body } = await usage('/balance');
  expect(body).toMatchObject({ plan: 'enterprise', content_logging: false });
  expect(body.credits.used).toBeGreaterThan(0);
});

test.each([
  ['?from=yesterday', 'from'],
  ['?by=colour', 'by'],
  ['?step=hour&from=2020-01-01', 'from'],
  ['?from=2026-01-02&to=2026-01-01', 'to'],
  ['?unknown=1', 'unknown'],
])('a question like %s is refused', async (query, param) => {
  const { status, body } = await usage(query);
  expect({ status, param: body.error.param }).toEqual({ status: 400, param });
});

const PATHS = ['/usage', '/usage/csv', '/usage/balance'];

test('nobody reads usage without a session, with an ended one, or of another organization', async () => {
  const other = await server.createAccount('free');
  const ended = await signInAsOperator(server, 'second@example.com');
  await ended.call('/session/sign-out', { method: 'POST' });
  for (const path of PATHS) {
    const at = `/organizations/${account}${path}`;
    expect((await callDashboard(server, at)).status).toBe(401);
    expect((await ended.call(at)).status).toBe(401);
    expect((await owner.call(`/organizations/${other}${path}`)).status).toBe(404);
  }
});

const { openPage } = useBrowser(server);

browserTest('the page shows totals, a chart and groups, and keeps its state in the address', async () => {
  const page = await openPage('/usage?step=hour', { person: owner });
  await page.locator('.chart canvas').waitFor();
  expect(await page.locator('.stats').nth(1).innerText()).toMatch(/Requests\s+4\s/);
  await page.getByLabel('Group by').selectOption('user');
  await page.getByRole('link', { name: 'ada', exact: true }).click();
  await page.waitForURL(/[?&]user=ada/);
  await page.goBack();
  await page.waitForURL((url) => url.searchParams.get('by') === 'user' && !url.searchParams.has('user'));
  await page.reload();
  await untilShown(page);
  expect(await page.getByLabel('Group by').inputValue()).toBe('user');
  await checkPage(page);
});

fullBrowserTest(
  'a chart has a picture of its own on paper, in light colours, and one in the dark',
  async () => {
    const page = await openPage('/usage?show=requests', { person: owner, dark: true });
    /** The sum of the drawn red, which bars in other colours change. */
    const drawn = (chart: string) =>
      page.waitForFunction((selector) => {
        const canvas = document.querySelector<HTMLCanvasElement>(`${selector} canvas`);
        if (!canvas) return 0;
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        return data.reduce((sum, value, index) => (index % 4 === 0 ? sum + value : sum), 0);
      }, chart);
    const dark = await (await drawn('.chart-place > .uplot')).jsonValue();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const paper = await (await drawn('.chart-print')).jsonValue();
    expect(paper).not.toBe(dark);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await page.locator('.chart-print').count()).toBe(0);
    // The colours follow the system, and a page that is shown as paper keeps its picture.
    await page.emulateMedia({ colorScheme: 'light' });
    await page.waitForFunction((before) => {
      const canvas = document.querySelector<HTMLCanvasElement>('.chart-place > .uplot canvas');
      if (!canvas) return false;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const sum = data.reduce((all, value, index) => (index % 4 === 0 ? all + value : all), 0);
      return sum > 0 && sum !== before;
    }, dark);
    await expectSound(page);
  },
);

fullBrowserTest('a press on a bar opens the requests behind it', async () => {
  const timeZone = 'America/Los_Angeles';
  const page = await openPage('/usage?range=7d', { person: owner, dark: true, timeZone });
  await page.getByText('Show as a table').click();
  const days = page.locator('details tbody tr th a');
  const shown = new Date().toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
  expect((await days.allInnerTexts()).slice(-2)).toContain(shown); // the day can end during the test
  await days.last().click();
  await page.waitForURL(/\/requests\?since=.*until=/);
  await page.locator('tbody tr').first().waitFor();
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(3);
  await expectSound(page);
});

fullBrowserTest('an empty span and a failed question say so, even on a phone', async () => {
  const page = await openPage('/usage?from=2025-01-01&to=2025-01-02', { person: owner, width: 390 });
  await page.getByText('No spend in this period').waitFor();
  await checkPage(page);
  await page.getByLabel('From').fill('2025-01-05'); // after the last day
  expect(new URL(page.url()).searchParams.get('from')).toBe('2025-01-01');
  await page.goto('/usage?from=2020-01-01&to=2025-01-02');
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').innerText()).toContain('for at most 400 days');
});
