import { afterAll, expect, test } from 'bun:test';
import type { Json } from '../support/call.ts';
import { HIDDEN } from '../support/recording-upstream.ts';
import { sampleConfig, sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { callDashboard, signInAsOperator } from './sign-in.ts';
import { checkPage } from './support/check-page.ts';
import { joinOrganization } from './support/join-organization.ts';
import { looks } from './support/looks.ts';
import { browserTest, expectSound, fullBrowserTest, untilShown, useBrowser } from './support/use-browser.ts';

const config = sampleConfig('http://127.0.0.1:9');
const { catalog } = config as unknown as { catalog: { models: Json[] } };
const many = Array.from({ length: 120 }, (_, index) =>
  sampleModel(`many-${String(index).padStart(3, '0')}`, { owned_by: 'many-labs', tier: 'crowd' }),
);
const server = await startServer({
  config: { ...config, catalog: { ...catalog, models: [...catalog.models, ...many] } },
});
afterAll(() => server.stop());

const owner = await signInAsOperator(server);
const account: string = (await owner.call('/session')).body.organizations[0].id;
const viewer = await joinOrganization(server, owner, {
  account,
  email: 'viewer@example.com',
  role: 'viewer',
});
const { openPage } = useBrowser(server);
const models = `/organizations/${account}/models`;
const stranger = await server.createKey('free');
const list = async (query = ''): Promise<Json> => (await owner.call(`${models}?${query}`)).body;
const idsOf = ({ data }: Json): string[] => data.map(({ id }: Json) => id);

test('a model has its prices, limits and capabilities, and says which plans include it', async () => {
  const small = await owner.call(`${models}/@svc/test-small`);
  expect(small.body).toMatchObject({
    id: '@svc/test-small',
    name: 'Test Small',
    owned_by: 'test-labs',
    kind: 'chat',
    included: true,
    context_window: 131_072,
    max_output: 8_192,
    capabilities: { tools: true, vision: false },
    prices: { input: 1, output: 4, cached_input: 0.1 },
    available: true,
    simulated: false,
  });
  expect(small.text).not.toContain(HIDDEN);
  const plain = (await owner.call(`${models}/test-plain`)).body;
  expect(plain.payg_prices).toEqual({ input: 2, output: 8, cached_input: 0.5 });
  const included = Object.fromEntries(plain.plans.map(({ id, includes }: Json) => [id, includes]));
  expect(included).toMatchObject({ free: false, starter: true, pro: true, payg: true });
  const paid = (await owner.call(`${models}/test-payg`)).body;
  expect(paid).toMatchObject({ included: false, unlocked_by: { id: 'payg' } });
  expect((await owner.call(`${models}/test-small-old`)).body.id).toBe('@svc/test-small');
  expect((await owner.call(`${models}/nonsense`)).status).toBe(404);
});

test('the list has the models of /v1/models', async () => {
  const listed = (await server.call('/v1/models')).body.data;
  const shown = await list('limit=500');
  expect(idsOf(shown)).toEqual(listed.map(({ id }: Json) => id));
  expect(shown.found).toEqual(listed.length);
  expect(shown.total).toEqual(listed.length);
  expect(shown.next).toBeNull();
  expect(JSON.stringify(shown)).not.toContain(HIDDEN);
});

test('models are found by words and by each filter, in every order', async () => {
  expect(idsOf(await list('q=SMALL test'))).toEqual(['@svc/test-small']);
  expect(idsOf(await list('q=test-small-old'))).toEqual(['@svc/test-small']);
  expect(idsOf(await list('owned_by=test-labs'))).toEqual(['@svc/test-small']);
  expect(idsOf(await list('tier=premium'))).toEqual(['test-plain']);
  expect(idsOf(await list('capabilities=tools,vision'))).toEqual(['test-vision']);
  expect(idsOf(await list('kind=embedding'))).toContain('test-vectors');
  expect(idsOf(await list('included=no'))).toContain('test-payg');
  expect(idsOf(await list('included=yes'))).not.toContain('test-payg');
  const { vendors } = await list('q=nonsense');
  expect(vendors[0]).toEqual({ value: 'many-labs', count: 120 });
  for (const [order, pick] of [
    ['name', ({ name }: Json) => name.toLowerCase()],
    ['input', ({ prices }: Json) => prices.input],
    ['output', ({ prices }: Json) => prices.output],
    ['context', (one: Json) => -one.context_window],
  ] as const) {
    const values = (await list(`sort=${order}&limit=500`)).data.map(pick);
    expect(values).toEqual(values.toSorted((a: never, b: never) => (a < b ? -1 : Number(a > b))));
  }
});

test('the list has pages', async () => {
  const seen: string[] = [];
  for (let after: string | null = '0'; after !== null; ) {
    const page = await list(`owned_by=many-labs&after=${after}`);
    seen.push(...idsOf(page));
    after = page.next;
  }
  expect(seen).toEqual(many.map(({ id }) => id));
});

test.each([
  'capabilities=flying',
  'sort=nonsense',
  'limit=0',
  'after=x',
  'included=maybe',
])('the parameter %s is refused', async (query) => {
  expect((await owner.call(`${models}?${query}`)).status).toBe(400);
});

test('nobody, a stale session and another organization are refused', async () => {
  for (const path of ['', '/test-plain']) {
    const nobody = await callDashboard(server, models + path);
    const stale = await callDashboard(server, models + path, {
      headers: { cookie: `${owner.cookie.split('=')[0]}=stale.session` },
    });
    const other = await owner.call(`/organizations/${stranger.account}/models${path}`);
    expect({ nobody: nobody.status, stale: stale.status, other: other.status }).toEqual({
      nobody: 401,
      stale: 401,
      other: 404,
    });
    expect((await viewer.call(models + path)).status).toBe(200);
  }
});

browserTest('a person finds a model, and the address keeps the filters', async () => {
  const page = await openPage('/models', { person: viewer });
  await page.getByLabel('Search').fill('vision');
  await page.getByText('1 of').waitFor();
  await page.getByLabel('Tools').check();
  await page.waitForURL('**/models?q=vision&capabilities=tools');
  await page.reload();
  await untilShown(page);
  expect(await page.getByLabel('Tools').isChecked()).toBe(true);
  await page.getByRole('link', { name: 'test-vision' }).click();
  await page.getByRole('heading', { name: 'Prices' }).waitFor();
  expect(await page.locator('main').innerText()).not.toContain(HIDDEN);
  await page.goBack();
  await page.getByText('1 of').waitFor();
  await page.getByLabel('Search').fill('nonsense');
  await page.getByText('No matching models').waitFor();
  await page.getByRole('link', { name: 'Remove the filters' }).click();
  await page.getByText(/^\d+ models$/).waitFor();
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.waitForURL('**/models?after=50');
  await expectSound(page);
});

fullBrowserTest('a model that the plan does not include says what unlocks it', async () => {
  const page = await openPage('/models/test-payg', { person: owner });
  await page.getByText('plan does not include this model', { exact: false }).first().waitFor();
  await page.getByRole('link', { name: 'Plans and billing' }).waitFor();
  await page.goto('/models/@svc/test-small');
  await page.getByRole('heading', { name: 'Test Small' }).waitFor();
  const tryIt = page.getByRole('link', { name: 'Try it' });
  expect(await tryIt.getAttribute('href')).toBe('/playground?model=%40svc%2Ftest-small');
  await page.goto('/models/nonsense');
  await page.getByText('The catalog has no model with this id.').waitFor();
});

fullBrowserTest('the pages are accessible and sound in light, in dark and on a phone', async () => {
  for (const [name, options] of looks) {
    const page = await openPage('/models', { person: owner, ...options });
    await checkPage(page, `models-${name}`);
    await page.goto('/models/test-payg');
    await page.getByRole('tab', { name: 'Codex' }).waitFor();
    await checkPage(page, `model-${name}`);
    page.release();
  }
});
