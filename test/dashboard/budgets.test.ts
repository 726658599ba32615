import { afterAll, expect, test } from 'bun:test';
import { openBudgetGateway, USER } from '../support/budget-gateway.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { checkPage } from './support/check-page.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { joinOrganization } from './support/join-organization.ts';
import {
  browserTest,
  expectSound,
  fullBrowserTest,
  screenshot,
  untilShown,
  useBrowser,
} from './support/use-browser.ts';

const upstream = startRecordingUpstream();
const server = await startServer({ config: { ...sampleConfig(upstream.url), plans: wideLimits } });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { owner, account, ask, body, createBudget, usd } = await openBudgetGateway(server, upstream);
const viewer = await joinOrganization(server, owner, {
  account,
  email: 'viewer@example.com',
  role: 'viewer',
});
const developer = await joinOrganization(server, owner, {
  account,
  email: 'developer@example.com',
  role: 'developer',
});
const { openPage } = useBrowser(server);
const keys = `/organizations/${account}/keys`;
const idOf = async (someone: typeof owner): Promise<string> =>
  (await someone.call('/session')).body.person.id;

test('a key made on the pages belongs to the person who made it', async () => {
  const made = await owner.call(`/organizations/${account}/keys`, { body: { name: 'mine' } });
  const { person } = (await owner.call('/session')).body;
  const keys = (await server.admin('GET', `/accounts/${account}/keys`)).body.data;
  expect(keys.find(({ id }: { id: string }) => id === made.body.key.id).person_id).toBe(person.id);
});

test('a developer makes keys that are their own, and leaves the member of every key as it is', async () => {
  const own = await idOf(developer);
  const other = await idOf(viewer);
  const change = (id: string, body: object, someone = developer) =>
    someone.call(`${keys}/${id}`, { method: 'PATCH', body });
  const made = await developer.call(keys, { body: { name: 'theirs', person_id: own } });
  expect({ status: made.status, person_id: made.body.key.person_id }).toEqual({
    status: 201,
    person_id: own,
  });
  const { id } = made.body.key;
  for (const person_id of [null, other]) {
    for (const refused of [
      await developer.call(keys, { body: { person_id } }),
      await change(id, { person_id, name: 'moved' }),
    ])
      expect({ status: refused.status, error: refused.body.error }).toMatchObject({
        status: 403,
        error: { code: 'permission_denied', param: 'person_id' },
      });
  }
  const renamed = await change(id, { name: 'renamed', person_id: own });
  expect(renamed).toMatchObject({
    status: 200,
    body: { name: 'renamed', person_id: own },
  });
  expect((await change(id, { person_id: other }, owner)).body.person_id).toBe(other);
  expect((await change(id, { person_id: own })).status).toBe(403);
  expect((await change(id, { person_id: other, name: 'kept' })).body).toMatchObject({ person_id: other });
  // The secret of another member's key would be a way into the budget of that member.
  expect((await developer.call(`${keys}/${id}/rotate`, { body: {} })).status).toBe(403);
  expect((await change(id, { person_id: null }, owner)).body.person_id).toBe(null);
  expect((await developer.call(`${keys}/${id}/rotate`, { body: {} })).status).toBe(200);
  expect((await developer.call(`${keys}/${id}`, { method: 'DELETE' })).status).toBe(200);
});

test('requests of the playground count against the budget of the person who sends them', async () => {
  const target = await idOf(developer);
  const budget = await createBudget({ scope: 'member', target, window: 'day', limit_usd: usd(1) });
  const send = (someone: typeof owner) => someone.call(`/organizations/${account}/playground/chat`, { body });
  expect((await send(developer)).status).toBe(200);
  const refused = await send(developer);
  expect({ status: refused.status, id: refused.body.error.budget?.id }).toEqual({
    status: 402,
    id: budget.id,
  });
  let causes: { cause: string; href: string }[] = [];
  await waitFor(async () => {
    causes = (await server.admin('GET', `/refusals?account=${account}`)).body.data;
    return causes.length > 0;
  });
  expect(causes).toMatchObject([{ cause: 'budget-reached', href: `/operator/budgets?account=${account}` }]);
  expect((await send(owner)).status).toBe(200);
  // The key of the playground belongs to nobody, so its secret would be a way out of the budget.
  const { data } = (await owner.call(`${keys}?q=Playground`)).body;
  expect({ length: data.length, person_id: data[0].person_id }).toEqual({ length: 1, person_id: null });
  const rotate = (someone: typeof owner) => someone.call(`${keys}/${data[0].id}/rotate`, { body: {} });
  expect((await rotate(developer)).status).toBe(403);
  expect((await rotate(owner)).status).toBe(200);
  expect((await server.admin('DELETE', `/budgets/${budget.id}`)).status).toBe(200);
});

fullBrowserTest('the form of a key offers other members to owners only', async () => {
  const { key } = (await owner.call(keys, { body: { name: 'of the owner' } })).body;
  const page = await openPage('/keys?do=create', { person: developer });
  const form = page.getByRole('dialog');
  await form.getByText('Tags', { exact: true }).click();
  expect(await form.getByLabel('Belongs to').count()).toBe(0);
  await form.getByLabel('Tags').fill('nightly');
  await form.getByLabel('Name').fill('from the form');
  await form.getByRole('button', { name: 'Create key' }).click();
  await form.locator('.secret code').waitFor();
  const { data } = (await developer.call(`${keys}?q=from+the+form`)).body;
  expect(data).toMatchObject([{ person_id: await idOf(developer), tags: ['nightly'] }]);
  await page.goto(`${server.url}/keys?key=${key.id}`);
  await form.getByRole('button', { name: 'Revoke' }).waitFor();
  expect(await form.getByRole('button', { name: 'Rotate' }).count()).toBe(0);
  await form.getByRole('button', { name: 'Change' }).click();
  await form.getByLabel('Name').fill('renamed by a developer');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The key was changed.').waitFor();
  await expectSound(page);
});

browserTest('an owner makes, raises and deletes a budget, and sees what counts against it', async () => {
  for (let request = 0; request < 3; request++) expect((await ask()).status).toBe(200);
  const page = await openPage('/budgets', { person: owner });
  await page.getByRole('button', { name: 'Create budget' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Each user');
  await form.getByLabel('Limits').selectOption('end_user');
  await form.getByLabel('Window').selectOption('week');
  await form.getByLabel('Kind').selectOption('sliding');
  await form.getByLabel('Limit', { exact: true }).fill(String(usd(3)));
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Create budget' }).click();
  await page.getByText('Exhausted').waitFor();
  await page.getByRole('link', { name: 'Each user' }).click();
  await page
    .getByRole('cell', { name: USER })
    .or(page.getByRole('rowheader', { name: USER }))
    .waitFor();
  await checkPage(page, 'budget');
  await page.getByRole('button', { name: 'Raise' }).click();
  const raise = page.getByRole('dialog', { name: 'Raise' });
  await raise.getByLabel('Add').fill('1,000');
  await raise.getByLabel('Until').fill('2099-01-01T00:00');
  await raise.getByRole('button', { name: 'Raise' }).click();
  await raise.getByText('without separators of thousands').waitFor();
  await raise.getByLabel('Add').fill(' ');
  await raise.getByRole('button', { name: 'Raise' }).click();
  await raise.getByText('Fill in this field.').waitFor();
  await raise.getByLabel('Add').fill('1,25');
  await raise.getByRole('button', { name: 'Raise' }).click();
  await page.getByText('by operator@example.com').waitFor();
  expect((await ask()).status).toBe(200);
  await page.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete the budget' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No budgets yet').waitFor();
  await expectSound(page);
});

fullBrowserTest(
  'an operator sees the budgets of all accounts, and a viewer only reads those of the organization',
  async () => {
    const budget = await createBudget({ name: 'Ours', scope: 'organization', window: 'month', limit_usd: 5 });
    const page = await openPage('/operator/budgets', { person: owner });
    await page.getByRole('link', { name: 'Ours' }).waitFor();
    await checkPage(page, 'operator-budgets');
    await page.goto(`${server.url}/operator/budgets?budget=${budget.id}`);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('dialog').last().getByLabel('Limit', { exact: true }).fill('7');
    await page.getByRole('dialog').last().getByRole('button', { name: 'Save' }).click();
    await page.getByText('of $7').first().waitFor();
    await expectSound(page);
    await page.goto(`${server.url}/operator/accounts/${account}`);
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('from an operator');
    await form.getByLabel('Belongs to').selectOption({ label: 'viewer@example.com' });
    await form.getByLabel('Tags').fill('a, ,b,a');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.locator('.secret code').waitFor();
    const { data } = (await owner.call(`${keys}?q=from+an+operator`)).body;
    expect(data).toMatchObject([{ person_id: await idOf(viewer), tags: ['a', 'b'] }]);
    await form.getByRole('button', { name: /Done|Close/ }).click();
    await page.getByRole('row', { name: /from an operator.*viewer@example.com.*a, b/ }).waitFor();
    await screenshot(page, 'operator-account-keys');
    await expectSound(page);
    const seen = await openPage('/budgets', { person: viewer });
    await untilShown(seen);
    expect(await seen.getByRole('button', { name: 'Create budget' }).count()).toBe(0);
    await seen.getByRole('link', { name: 'Ours' }).click();
    await seen.getByText('What counts against it').waitFor();
    expect(await seen.getByRole('button', { name: 'Raise' }).count()).toBe(0);
    await expectSound(seen);
  },
);
