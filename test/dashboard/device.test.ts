import { afterAll, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { deviceClient } from '../support/device-client.ts';
import { startServer } from '../support/start-server.ts';
import { PASSWORD, signInAsOperator } from './sign-in.ts';
import { checkPage } from './support/check-page.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { joinOrganization } from './support/join-organization.ts';
import { browserTest, expectSound, fullBrowserTest, screenshot, useBrowser } from './support/use-browser.ts';

const server = await startServer({ config: {} });
afterAll(server.stop);
const { openPage } = useBrowser(server);
const operator = await signInAsOperator(server);
const accountNamed = async (name: string): Promise<string> =>
  (await server.admin('POST', '/accounts', { name, plan: 'enterprise' })).body.id;
const first = await accountNamed('First');
const second = await accountNamed('Second');
const third = await accountNamed('Third');
const join = (email: string, account: string, role: 'developer' | 'viewer') =>
  joinOrganization(server, operator, { account, email, role });
const ada = await join('ada@example.com', first, 'developer');
const viewer = await join('viewer@example.com', first, 'viewer');
for (const [account, role] of [
  [second, 'developer'],
  [third, 'viewer'],
] as const) {
  const body = { email: ada.email, role };
  const { link } = (await operator.call(`/operator/accounts/${account}/invitations`, { body })).body;
  await ada.call('/me/invitations', { body: { token: decodeURIComponent(link.split('#token=')[1]) } });
}

const client = deviceClient(server);
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const pathOf = (codes: { verification_uri_complete: string }): string =>
  codes.verification_uri_complete.slice(server.url.length);

browserTest('a signed-out person signs in, comes back, chooses the organization and approves', async () => {
  const codes = await client.begin();
  const page = await openPage(pathOf(codes), { width: 360 });
  await heading(page, 'Sign in').waitFor();
  await page.getByLabel('Email').fill(ada.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Sign in').click();
  await heading(page, 'Sign in to Claude Code').waitFor();
  expect(await page.getByLabel('Code').inputValue()).toBe(codes.user_code);
  await page.getByText(`Signed in as ${ada.email}`).waitFor();
  // Opening the page sends nothing.
  expect(await client.poll(codes)).toMatchObject({ error: 'authorization_pending' });
  const offered = await page.getByLabel('Organization').locator('option').allInnerTexts();
  expect(offered).toEqual(['First', 'Second']);
  await checkPage(page, 'device-360');
  await page.getByLabel('Organization').selectOption({ label: 'Second' });
  await button(page, 'Approve').click();
  await heading(page, 'Claude Code is signed in').waitFor();
  await checkPage(page);
  const { status, body } = await client.token(client.deviceForm(codes));
  expect({ status, email: body.email }).toEqual({ status: 200, email: ada.email });
  const keys = (await server.admin('GET', `/accounts/${second}/keys`)).body.data;
  expect(keys).toMatchObject([{ name: `Claude Code (${ada.email})` }]);
  page.release();
});

fullBrowserTest('a wrong code is named at its field, and a typed one can be denied', async () => {
  const codes = await client.begin();
  const page = await openPage('/device', { person: ada, dark: true });
  await heading(page, 'Sign in to Claude Code').waitFor();
  await page.getByLabel('Code').fill('BBBB-BBBB');
  await button(page, 'Approve').click();
  await page.getByText('No client waits with this code.').waitFor();
  expect(await page.getByLabel('Code').getAttribute('aria-invalid')).toBe('true');
  await expectAccessible(page);
  await button(page, 'Deny').click();
  await page.getByRole('alert').getByText('No client waits with this code.').waitFor();
  await page.getByLabel('Code').fill(` ${codes.user_code.toLowerCase()} `);
  await screenshot(page, 'device-dark');
  await button(page, 'Deny').click();
  await heading(page, 'The sign-in was denied').waitFor();
  await expectAccessible(page, 'contrast');
  expect(await client.poll(codes)).toMatchObject({ status: 400, error: 'access_denied' });
  await expectSound(page);
  page.release();
});

fullBrowserTest('a viewer learns whom to ask', async () => {
  const codes = await client.begin();
  const page = await openPage(pathOf(codes), { person: viewer });
  await page.getByText('Ask an owner of the organization for the role developer.').waitFor();
  expect(await button(page, 'Approve').count()).toBe(0);
  await expectAccessible(page);
  page.release();
});
