import { afterAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, wirePrefix } from '../support/wire-models.ts';
import { callDashboard, signInAsOperator } from './sign-in.ts';
import { checkPage } from './support/check-page.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { joinOrganization } from './support/join-organization.ts';
import { looks } from './support/looks.ts';
import {
  browserTest,
  expectSound,
  fullBrowserTest,
  screenshot,
  untilShown,
  useBrowser,
} from './support/use-browser.ts';

const wire = 'openai-chat';
const routes = [{ provider: 'hidden-host', model: 'hidden-model' }];
const upstream = serveSimulator();
const server = await startServer({
  config: {
    providers: [{ id: 'hidden-host', wire, base_url: upstream.url + wirePrefix[wire] }],
    catalog: {
      default: false,
      models: [
        ableModel('plain', routes, { capabilities: {}, reasoning_efforts: [] }),
        ableModel('able', routes, { pricing_usd_per_mtok: { input: 3, output: 9 } }),
        ableModel('able-mini', routes, { pricing_usd_per_mtok: { input: 1, output: 2 } }),
        ableModel('dear', routes, { plan: 'payg' }),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const owner = await signInAsOperator(server);
const account: string = (await owner.call('/session')).body.organizations[0].id;
const viewer = await joinOrganization(server, owner, {
  account,
  email: 'viewer@example.com',
  role: 'viewer',
});
const { openPage } = useBrowser(server);
const keys = `/organizations/${account}/keys`;
const stranger = await server.createKey('pro');
/** Reads a path of the organization until the answer is as wanted. */
async function readUntil(path: string, isSo: (body: Json) => boolean): Promise<Json> {
  let body: Json;
  await waitFor(async () => {
    body = (await owner.call(path)).body;
    return isSo(body);
  });
  return body;
}
const create = async (body: object = {}): Promise<Json> => (await owner.call(keys, { body })).body;

test('a key is created, its secret is shown once, and its use is visible [AUT-03]', async () => {
  const limits = { requests_per_min: 30, tokens_per_min: null, concurrent: null };
  const wanted = { name: ' laptop ', monthly_cap_usd: 5, allowed_models: ['able'], limits };
  const answer = await owner.call(keys, { body: wanted });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const { secret, key } = answer.body;
  expect(key).toMatchObject({
    name: 'laptop',
    state: 'active',
    monthly_cap_usd: 5,
    month_spent_usd: 0,
    last_used_at: null,
    allowed_models: ['able'],
    limits,
    payg: false,
    expires_at: null,
  });
  expect(secret.startsWith(key.hint)).toBe(true);
  const { status } = await server.call('/v1/chat/completions', {
    headers: bearer(secret),
    body: chatBody('able'),
  });
  expect(status).toBe(200);
  const used = await readUntil(
    `${keys}/${key.id}`,
    ({ month_spent_usd, last_used_at }) => month_spent_usd > 0 && last_used_at !== null,
  );
  expect(Math.abs(Date.parse(used.last_used_at) - Date.now())).toBeLessThan(60_000);
  const all = await owner.call(`${keys}?state=all`);
  expect(all.text).toContain(key.id);
  expect(all.text).not.toContain(secret);
  expect(all.text).not.toContain('hash');
});

test('a key is changed and revoked, and the audit log names the person [AUT-03]', async () => {
  const { secret, key } = await create({ name: 'laptop', allowed_models: ['able'], monthly_cap_usd: 5 });
  const change = { name: 'server', payg: true, monthly_cap_usd: null };
  const changed = await owner.call(`${keys}/${key.id}`, { method: 'PATCH', body: change });
  expect(changed).toMatchObject({ status: 200, body: { ...change, allowed_models: ['able'] } });
  const revoked = await owner.call(`${keys}/${key.id}`, { method: 'DELETE' });
  expect({ status: revoked.status, state: revoked.body.state }).toEqual({ status: 200, state: 'revoked' });
  expect((await server.call('/v1/models', { headers: bearer(secret) })).status).toBe(200);
  expect((await server.call('/v1/usage', { headers: bearer(secret) })).status).toBe(401);
  for (const call of [
    owner.call(`${keys}/${key.id}`, { method: 'PATCH', body: { name: 'again' } }),
    owner.call(`${keys}/${key.id}/rotate`, { body: {} }),
  ])
    expect((await call).status).toBe(409);
  const audit = (await server.admin('GET', '/audit')).body.data.filter((one: Json) => one.target === key.id);
  expect(new Set(audit.map((one: Json) => one.actor))).toEqual(new Set([owner.email]));
});

test('a rotated key works with both secrets until the overlap ends', async () => {
  const { secret, key } = await create({ name: 'rotated' });
  const rotated = await owner.call(`${keys}/${key.id}/rotate`, { body: { overlap_s: 3_600 } });
  expect(rotated).toMatchObject({ status: 200, body: { key: { state: 'rotating' } } });
  for (const one of [secret, rotated.body.secret])
    expect((await server.call('/v1/usage', { headers: bearer(one) })).status).toBe(200);
  const again = await owner.call(`${keys}/${key.id}/rotate`, { body: {} });
  expect(again.body.key.state).toBe('active');
  expect((await server.call('/v1/usage', { headers: bearer(rotated.body.secret) })).status).toBe(401);
});

test('an expired key is listed as ended and cannot be changed', async () => {
  const soon = new Date(Date.now() + 900).toISOString();
  const { key } = await create({ name: 'short', expires_at: soon });
  const listed = await readUntil(`${keys}?state=ended&q=short`, ({ data }) => data.length > 0);
  expect(listed.data).toMatchObject([{ id: key.id, state: 'expired' }]);
  const change = await owner.call(`${keys}/${key.id}`, { method: 'PATCH', body: { expires_at: null } });
  const message = 'This API key has expired. Create another one.';
  expect(change).toMatchObject({ status: 409, body: { error: { message } } });
});

test('keys are listed newest first, in pages, and found by words', async () => {
  for (const name of ['page one', 'page two', 'page three']) await create({ name });
  const first = (await owner.call(`${keys}?q=PAGE&limit=2`)).body;
  expect(first.data.map((one: Json) => one.name)).toEqual(['page three', 'page two']);
  const second = (await owner.call(`${keys}?q=page&limit=2&after=${first.next}`)).body;
  expect(second).toMatchObject({ data: [{ name: 'page one' }], next: null });
  expect(first.counts.active).toBeGreaterThan(2);
  expect(Date.parse(first.month_ends_at)).toBeGreaterThan(Date.now());
});

test('a page follows the last key of the one before, though that key has been revoked since', async () => {
  for (const name of ['turn one', 'turn two', 'turn three']) await create({ name });
  const first = (await owner.call(`${keys}?q=turn&limit=1`)).body;
  await owner.call(`${keys}/${first.next}`, { method: 'DELETE' });
  const rest = (await owner.call(`${keys}?q=turn&after=${first.next}`)).body;
  expect(rest.data.map((one: Json) => one.name)).toEqual(['turn two', 'turn one']);
  expect((await owner.call(`${keys}?after=key_x`)).body.error.param).toBe('after');
});

test.each([
  ['a wrong cap', { monthly_cap_usd: -1 }, 'monthly_cap_usd'],
  ['an unknown field', { nonsense: 1 }, null],
  ['an unknown model', { allowed_models: ['nonsense'] }, 'allowed_models'],
  ['an expiry in the past', { expires_at: '2020-01-01' }, 'expires_at'],
  ['a date that does not exist', { expires_at: '2030-02-30' }, 'expires_at'],
])('%s is refused', async (_, body, param) => {
  const answer = await owner.call(keys, { body });
  expect(answer.status).toBe(400);
  if (param) expect(answer.body.error.param).toStartWith(param);
});

const calls = [
  ['GET', '', undefined],
  ['POST', '', {}],
  ['GET', '/key_x', undefined],
  ['PATCH', '/key_x', {}],
  ['POST', '/key_x/rotate', {}],
  ['DELETE', '/key_x', undefined],
] as const;

test('nobody, a stale session, another organization, a viewer and a foreign page are refused', async () => {
  for (const [method, path, body] of calls) {
    const options = { method, ...(body && { body }) };
    const nobody = await callDashboard(server, keys + path, options);
    const headers = { cookie: `${owner.cookie.split('=')[0]}=stale.session` };
    const stale = await callDashboard(server, keys + path, { ...options, headers });
    const other = await owner.call(`/organizations/${stranger.account}/keys${path}`, options);
    expect(nobody.status).toBe(401);
    expect(stale.status).toBe(401);
    expect(other.status).toBe(404);
    const weak = await viewer.call(keys + path, options);
    const readable = path ? 404 : 200;
    const status = method === 'GET' ? readable : 403;
    expect({ method, path, status: weak.status }).toEqual({ method, path, status });
    if (method === 'GET') continue;
    const evil = await owner.call(keys + path, { ...options, headers: { origin: 'https://evil.example' } });
    expect(evil.status).toBe(403);
  }
});

test("a key of another organization does not exist in one's own", async () => {
  const foreign = (await server.admin('GET', `/accounts/${stranger.account}/keys`)).body.data[0];
  for (const [method, path, body] of calls.slice(2)) {
    const answer = await owner.call(keys + path.replace('key_x', foreign.id), {
      method,
      ...(body && { body }),
    });
    expect(answer.status).toBe(404);
  }
  expect((await server.call('/v1/usage', { headers: bearer(stranger.key) })).status).toBe(200);
});

test('the settings of clients name a model that the key can call, and the address of the server', async () => {
  const at = async (query = '') => (await owner.call(`/organizations/${account}/snippets${query}`)).body;
  const usual = await at();
  expect(usual).toMatchObject({ base_url: `${server.url}/v1`, model: 'able', is_callable: true });
  const text = JSON.stringify(usual);
  expect(text).toContain('ANTHROPIC_DEFAULT_HAIKU_MODEL=able-mini');
  expect(text).not.toContain('hidden');
  expect(text).not.toMatch(/\{(origin|model|small_model|context|output)\}/);
  expect(await at('?model=dear')).toMatchObject({ model: 'dear', is_callable: false });
  const { key } = await create({ allowed_models: ['plain'] });
  expect((await at(`?key=${key.id}`)).model).toBe('plain');
  const payg = await create({ payg: true, allowed_models: ['dear'] });
  expect(await at(`?key=${payg.key.id}`)).toMatchObject({ model: 'dear', is_callable: true });
  expect((await owner.call(`/organizations/${account}/snippets?key=key_x`)).status).toBe(404);
});

browserTest('a person creates a key with rules, and copies it with the settings of a client', async () => {
  const page = await openPage('/keys', { person: owner });
  await page.getByRole('link', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('from the page');
  await dialog.getByLabel('Monthly cap').fill('12.5');
  await dialog.getByLabel('Allowed models').fill('able');
  await page.getByRole('option', { name: 'able', exact: true }).click();
  await dialog.getByLabel('Expires').selectOption({ label: 'In 30 days' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = await dialog.locator('.secret code').textContent();
  expect(secret).toMatch(/^svc_/);
  await dialog.getByRole('tab', { name: 'Claude Code' }).click();
  await dialog.getByText('ANTHROPIC_MODEL=able').waitFor();
  expect(await dialog.getByText(`export API_KEY=${secret}`).count()).toBe(1);
  await checkPage(page, 'key-created');
  await expectCopied(page);
  const answer = await server.call('/v1/chat/completions', {
    headers: bearer(secret!),
    body: chatBody('able'),
  });
  expect(answer.status).toBe(200);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'from the page' }).waitFor();
  expect(await page.content()).not.toContain(secret);
  await page.goBack();
  expect(await page.content()).not.toContain(secret);
});

/** Presses a copy button twice. The time of the first press does not end what the second one shows. */
async function expectCopied(page: Page): Promise<void> {
  await page.evaluate((shownMs) => {
    const { setTimeout: start, clearTimeout: end } = window;
    const timers = { started: 0, pending: new Set<number>() };
    const setTimeout = (run: () => void, ms: number): number => {
      const timer = start(run, ms) as unknown as number;
      if (ms === shownMs) {
        timers.started++;
        timers.pending.add(timer);
      }
      return timer;
    };
    const clearTimeout = (timer: number): void => {
      timers.pending.delete(timer);
      end(timer);
    };
    Object.assign(window, { setTimeout, clearTimeout, timers });
  }, 2_000);
  const button = page.locator('.secret').getByRole('button');
  for (const presses of [1, 2]) {
    await button.click();
    await button.getByText('Copied').waitFor();
    await page.waitForFunction((count) => (window as unknown as Timed).timers.started === count, presses);
  }
  expect(await page.evaluate(() => (window as unknown as Timed).timers.pending.size)).toBe(1);
}
type Timed = { timers: { started: number; pending: Set<number> } };

fullBrowserTest('a person changes, rotates and revokes a key', async () => {
  const { key, secret } = await create({ name: 'short-lived' });
  const page = await openPage(`/keys?key=${key.id}`, { person: owner });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('Name').fill('renamed');
  await dialog
    .getByLabel('Repeated requests')
    .selectOption({ label: 'Retries of SDKs share the answer too' });
  await dialog.getByLabel('Resumable streams').check();
  await dialog.getByText('Limits of the key').click();
  await dialog.getByLabel('Requests per minute').fill('7');
  await dialog.getByLabel('Belongs to').selectOption({ label: 'viewer@example.com' });
  await dialog.getByLabel('Tags').fill('x'.repeat(65));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Tags').fill('team-a, nightly');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'renamed' }).click();
  await dialog.getByText('7 requests a minute').waitFor();
  await dialog.getByText('team-a, nightly').waitFor();
  await dialog.getByText('viewer@example.com').waitFor();
  await dialog.getByText('Can be read again from where they broke').waitFor();
  const { body: changed } = await server.admin('GET', `/accounts/${account}/keys`);
  expect(changed.data.find(({ id }: Json) => id === key.id)).toMatchObject({
    retries: 'join',
    resumable: true,
  });
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await dialog.getByRole('button', { name: 'Rotate key' }).click();
  expect(await dialog.locator('.secret code').textContent()).not.toBe(secret);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Rotating until').waitFor();
  await page.getByRole('link', { name: 'renamed' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('The key was revoked.').waitFor();
  expect((await server.call('/v1/usage', { headers: bearer(secret) })).status).toBe(401);
  await expectSound(page);
});

fullBrowserTest('the page shows what a server refuses, and a failure of the network', async () => {
  const page = await openPage('/keys?do=create', { person: owner });
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Allowed models').fill('nonsense');
  await dialog.getByRole('combobox', { name: 'Allowed models' }).press('Enter');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('alert').waitFor();
  await page.route('**/dashboard/v1/**', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('The server cannot be reached').waitFor();
});

fullBrowserTest(
  'over plain HTTP on a local network, a new key is copied, and only its buttons close the dialog',
  async () => {
    const page = await openPage('/keys?do=create', { person: owner, isOverLan: true });
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('x'.repeat(90));
    await page.mouse.click(5, 5); // beside the dialog
    expect(await dialog.getByLabel('Name').inputValue()).toHaveLength(90);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secret = await dialog.locator('.secret code').textContent();
    await dialog.getByRole('button', { name: 'Copy' }).first().click();
    await dialog.getByText('Copied').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await dialog.locator('.secret code').textContent()).toBe(secret);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByLabel('Search').focus();
    await page.keyboard.press('Control+V');
    expect(await page.getByLabel('Search').inputValue()).toBe(secret!);
    // A long name leaves room for the other columns.
    const table = page.locator('.table-scroll').first();
    expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await expectSound(page);
  },
);

fullBrowserTest('a viewer reads keys and cannot change them', async () => {
  const page = await openPage('/keys', { person: viewer });
  expect(await page.getByRole('link', { name: 'Create key' }).count()).toBe(0);
  await page.getByRole('link', { name: 'from the page' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Spent this month').waitFor();
  expect(await dialog.getByRole('button', { name: 'Revoke' }).count()).toBe(0);
  await page.goto(`${page.url()}&do=revoke`);
  await dialog.getByText('Spent this month').waitFor();
  expect(await dialog.getByRole('button', { name: 'Revoke key' }).count()).toBe(0);
});

fullBrowserTest('the page is accessible and sound in light, in dark and on a phone', async () => {
  await create({
    name: 'Continuous integration',
    monthly_cap_usd: 20,
    payg: true,
    allowed_models: ['able', 'dear'],
  });
  for (const [name, options] of looks) {
    const page = await openPage('/keys', { person: owner, ...options });
    await checkPage(page, `keys-${name}`);
    await page.getByRole('link', { name: 'Continuous integration' }).click();
    await page.getByRole('tab', { name: 'Codex' }).waitFor();
    await checkPage(page, `key-${name}`);
    await page.goto('/keys?state=all&do=create');
    await untilShown(page);
    await page.getByRole('dialog').waitFor();
    await expectSound(page);
    await screenshot(page, `key-create-${name}`);
    page.release();
  }
});
