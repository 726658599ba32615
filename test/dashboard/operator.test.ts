import { beforeAll, expect, test } from 'bun:test';
import { waitFor } from '../support/wait-for.ts';
import { callDashboard, type SignedInPerson, signInAsOperator, signInWithPassword } from './sign-in.ts';
import { ageSessions } from './support/age-sessions.ts';
import { browserTest, expectSound, fullBrowserTest, useBrowser } from './support/use-browser.ts';
import { openWorkGateway } from './work-gateway.ts';

const { server, people, account, key, join } = await openWorkGateway();
const { openPage } = useBrowser(server);

const reads = [
  '/accounts',
  `/accounts/${account}`,
  '/providers',
  '/catalog',
  '/audit',
  '/nodes',
  '/doctor',
  '/queue',
  '/requests',
  '/people',
  '/tokens',
  '/faults',
].map((path) => `/operator${path}`);

const asRole: Record<'read_only' | 'operator', SignedInPerson> = {} as never;

beforeAll(async () => {
  for (const role of ['read_only', 'operator'] as const) {
    const email = `${role}@staff.example`;
    await join(email, 'viewer');
    const [{ id }] = (await server.admin('GET', `/people?email=${email}`)).body.data;
    await server.admin('PATCH', `/people/${id}`, { operator_role: role });
    asRole[role] = await signInWithPassword(server, email);
  }
});

test('an operator with the role read_only reads accounts and providers, and changes nothing', async () => {
  const { read_only } = asRole;
  expect((await read_only.call('/operator/accounts')).status).toBe(200);
  expect((await read_only.call('/operator/providers')).text).toContain('hidden-openai-chat');
  const options = { method: 'PATCH', body: { name: 'Renamed' } };
  expect((await read_only.call(`/operator/accounts/${account}`, options)).status).toBe(403);
  expect((await asRole.operator.call(`/operator/accounts/${account}`, options)).status).toBe(200);
});

test('no route of operators exists for a member of an organization, and none names a provider', async () => {
  for (const path of reads) {
    expect({ path, status: (await asRole.read_only.call(path)).status }).toEqual({ path, status: 200 });
    const answer = await people.owner.call(path);
    expect({ path, status: answer.status }).toEqual({ path, status: 404 });
    expect(answer.text).not.toContain('hidden-');
    expect((await callDashboard(server, path)).status).toBe(401);
  }
});

test('the audit log names the person behind a change in the dashboard', async () => {
  await asRole.operator.call(`/operator/accounts/${account}`, { method: 'PATCH', body: { name: 'Audited' } });
  expect((await asRole.read_only.call('/operator/audit')).text).toContain('operator@staff.example');
});

test('no answer of the dashboard is kept by a cache', async () => {
  const paths = [...reads, '/session', `/organizations/${account}/keys`, '/operator/accounts/acct_none'];
  for (const path of paths)
    for (const person of [asRole.read_only, people.stranger]) {
      const { headers } = await person.call(path);
      expect({ path, cacheControl: headers.get('cache-control') }).toEqual({
        path,
        cacheControl: 'no-store',
      });
    }
});

test('operators search all accounts, and filter the audit log by its end', async () => {
  const { read_only, operator } = asRole;
  const path = '/operator/accounts';
  const made = await operator.call(path, {
    body: { name: 'Zyx Works', plan: 'free', email: 'zyx@works.example' },
  });
  const { id } = made.body;
  for (const search of ['zYx w', 'ZYX@', id.slice(0, 15)]) {
    const { body } = await read_only.call(`${path}?limit=1&search=${encodeURIComponent(search)}`);
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([id]);
    expect(body.has_more).toBe(false);
  }
  expect((await read_only.call(`${path}?search=${id.slice(2)}`)).body.data).toEqual([]);
  expect((await read_only.call(`${path}?search=`)).body.data.length).toBeGreaterThan(1);
  const ended = (until: string) => read_only.call(`/operator/audit?target=${id}&until=${until}`);
  expect((await ended('2000-01-01')).body.data).toEqual([]);
  expect((await ended('2100-01-01')).body.data).toMatchObject([{ action: 'account-create' }]);
  expect((await ended('soon')).status).toBe(400);
});

browserTest('the page of accounts has no button that changes something for read_only', async () => {
  const page = await openPage('/operator/accounts', { person: asRole.operator });
  await page.getByRole('button', { name: 'Create account' }).waitFor();
  page.release();
  const reading = await openPage('/operator/accounts', { person: asRole.read_only });
  await reading.locator(`a[href*="${account}"]`).first().waitFor({ timeout: 20_000 });
  expect(await reading.getByRole('button', { name: 'Create account' }).count()).toBe(0);
  reading.release();
});

browserTest('a table is sorted only if its page has all rows', async () => {
  const person = asRole.read_only;
  const page = await openPage('/operator/accounts', { person });
  await page.getByRole('button', { name: 'Plan', exact: true }).waitFor();
  for (let number = 0; number < 51; number++)
    await asRole.operator.call('/operator/accounts', { body: { name: `Many ${number}`, plan: 'free' } });
  await page.goto('/operator/accounts?sort=name');
  await page.getByRole('link', { name: 'Next page' }).waitFor();
  expect(await page.getByRole('button', { name: 'Plan', exact: true }).count()).toBe(0);
});

fullBrowserTest(
  'after a fault, an operator sees what fails, since when, and which keys are revoked',
  async () => {
    const { operator } = asRole;
    await waitFor(async () => {
      await server.chat(key.key, 'ill');
      return (await operator.call('/operator/alerts')).body.data.length > 0;
    });
    const page = await openPage('/operator', { person: operator });
    await page.getByText('The provider hidden-openai-chat is').first().waitFor();
    await page
      .getByRole('row', { name: /provider_/ })
      .locator('time')
      .first()
      .waitFor();
    await page.goto('/operator/providers');
    const first = page.locator('main h2').first();
    await first.waitFor();
    expect(await first.innerText()).toBe('hidden-openai-chat');
    await page.getByText(/^Latest error: 500/).waitFor();
    for (let number = 0; number < 12; number++) await server.createKey('enterprise', { account });
    await server.admin('DELETE', `/keys/${key.id}`);
    await page.goto(`/operator/accounts/${account}`);
    await page.getByRole('button', { name: /^Show all \d+ keys$/ }).click();
    await page.getByRole('row', { name: /revoked/ }).waitFor();
    // Plain HTTP on a local network has no random ids of the browser's own.
    const lan = await openPage(`/operator/accounts/${account}`, { person: operator, isOverLan: true });
    await lan.getByRole('button', { name: 'Grant credits' }).click();
    await lan.getByRole('textbox', { name: 'Credits' }).fill('10');
    await lan.getByRole('dialog').getByRole('button', { name: 'Grant credits' }).click();
    await lan.getByText('The entry was written.').waitFor();
    await expectSound(lan);
    await page.goto('/operator/requests?hours=1&code=upstream_unavailable');
    await page.getByRole('link', { name: /^req_/ }).first().click();
    await page.getByText('The simulator').first().waitFor();
    await page.goBack();
    // A space at the end of a pause stays for the next word.
    await page.getByLabel('Model').pressSequentially('no ');
    await page.waitForURL(/model=no(&|$)/);
    await page.getByLabel('Model').pressSequentially('such');
    await page.waitForURL(/model=no(\+|%20)such/);
    await page.getByText('No matching requests').waitFor();
    await expectSound(page);
  },
);

test('an operator with an old session decides nothing about sign-ins, and reads as before', async () => {
  const owner = await signInAsOperator(server, 'late-owner@staff.example');
  const [{ id }] = (await server.admin('GET', '/people?email=late-owner@staff.example')).body.data;
  const changes = [
    ['POST', '/tokens', { name: 'mine', role: 'owner' }],
    ['PATCH', `/people/${id}`, { email: 'other@staff.example' }],
    ['POST', `/people/${id}/links`, { kind: 'reset' }],
    ['DELETE', `/people/${id}/second-factor`, undefined],
    ['DELETE', `/people/${id}/sessions`, undefined],
    ['DELETE', `/people/${id}`, undefined],
    ['POST', '/configuration', { text: '', hash: '' }],
  ] as const;
  await ageSessions(server);
  for (const [method, path, body] of changes) {
    const { status, body: answer } = await owner.call(`/operator${path}`, { method, body });
    expect({ path, status, code: answer.error.code }).toEqual({
      path,
      status: 403,
      code: 'recent_sign_in_required',
    });
  }
  expect((await owner.call(`/operator/people/${id}`)).body.email).toBe('late-owner@staff.example');
  const again = await signInWithPassword(server, 'late-owner@staff.example');
  const made = await again.call('/operator/tokens', { body: { name: 'mine', role: 'read_only' } });
  expect(made.status).toBe(201);
});
