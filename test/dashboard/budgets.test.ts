import { afterAll, expect, test } from 'bun:test';
import { openBudgetGateway, USER } from '../support/budget-gateway.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { joinOrganization } from './support/join-organization.ts';
import { browserTest, expectSound, screenshot, untilShown, useBrowser } from './support/use-browser.ts';

const upstream = startRecordingUpstream();
const server = await startServer({ config: { ...sampleConfig(upstream.url), plans: wideLimits } });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { owner, account, ask, make, usd } = await openBudgetGateway(server, upstream);
const viewer = await joinOrganization(server, owner, {
  account,
  email: 'viewer@example.com',
  role: 'viewer',
});
const { openPage } = useBrowser(server);

test('a key made on the pages belongs to the person who made it', async () => {
  const made = await owner.call(`/organizations/${account}/keys`, { body: { name: 'mine' } });
  const { person } = (await owner.call('/session')).body;
  const keys = (await server.admin('GET', `/accounts/${account}/keys`)).body.data;
  expect(keys.find(({ id }: { id: string }) => id === made.body.key.id).person_id).toBe(person.id);
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
  await expectAccessible(page);
  await screenshot(page, 'budget');
  await page.getByRole('button', { name: 'Raise' }).click();
  const raise = page.getByRole('dialog', { name: 'Raise' });
  await raise.getByLabel('Add').fill('1');
  await raise.getByLabel('Until').fill('2099-01-01T00:00');
  await raise.getByRole('button', { name: 'Raise' }).click();
  await page.getByText('by operator@example.com').waitFor();
  expect((await ask()).status).toBe(200);
  await page.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete the budget' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No budgets yet').waitFor();
  await expectSound(page);
});

browserTest(
  'an operator sees the budgets of all accounts, and a viewer only reads those of the organization',
  async () => {
    const budget = await make({ name: 'Ours', scope: 'organization', window: 'month', limit_usd: 5 });
    const page = await openPage('/operator/budgets', { person: owner });
    await page.getByRole('link', { name: 'Ours' }).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'operator-budgets');
    await page.goto(`${server.url}/operator/budgets?budget=${budget.id}`);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('dialog').last().getByLabel('Limit', { exact: true }).fill('7');
    await page.getByRole('dialog').last().getByRole('button', { name: 'Save' }).click();
    await page.getByText('of $7').first().waitFor();
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
