import { beforeAll, expect, test } from 'bun:test';
import { callDashboard, type SignedInPerson, signInWithPassword } from './sign-in.ts';
import { browserTest, useBrowser } from './support/use-browser.ts';
import { openWorkHouse } from './work-house.ts';

const { server, people, account, join } = await openWorkHouse();
const { openPage } = useBrowser(server);

const reads = [
  ...['/accounts', `/accounts/${account}`, '/providers', '/catalog', '/audit', '/nodes', '/doctor', '/queue'],
  ...['/requests', '/people', '/tokens'],
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
    expect([path, (await asRole.read_only.call(path)).status]).toEqual([path, 200]);
    const answer = await people.owner.call(path);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.text).not.toContain('hidden-');
    expect((await callDashboard(server, path)).status).toBe(401);
  }
});

test('the audit log names the person behind a change in the dashboard', async () => {
  await asRole.operator.call(`/operator/accounts/${account}`, { method: 'PATCH', body: { name: 'Audited' } });
  expect((await asRole.read_only.call('/operator/audit')).text).toContain('operator@staff.example');
});

browserTest('the page of accounts has no button that changes something for read_only', async () => {
  const page = await openPage('/operator/accounts', { person: asRole.operator });
  await page.getByRole('button', { name: 'Create account' }).waitFor();
  await page.context().close();
  const reading = await openPage('/operator/accounts', { person: asRole.read_only });
  await reading.locator(`a[href*="${account}"]`).first().waitFor({ timeout: 20_000 });
  expect(await reading.getByRole('button', { name: 'Create account' }).count()).toBe(0);
  await reading.context().close();
});
