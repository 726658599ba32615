import { afterAll, expect } from 'bun:test';
import { startServer } from '../support/start-server.ts';
import { PASSWORD, signInAsOperator } from './sign-in.ts';
import { joinOrganization } from './support/join-organization.ts';
import { seededConfig } from './support/seed.ts';
import {
  browserTest,
  expectSound,
  fullBrowserTest,
  screenshot,
  untilShown,
  useBrowser,
} from './support/use-browser.ts';

const server = await startServer({ config: seededConfig });
afterAll(() => server.stop());
const { openPage } = useBrowser(server);
const operator = await signInAsOperator(server, 'ada@example.com');
const { organizations } = (await operator.call('/session')).body;
const own: string = organizations[0].id;

browserTest(
  'a session that ends in a half-filled form is renewed above it, and the form is kept',
  async () => {
    const email = 'bob@example.com';
    const person = await joinOrganization(server, operator, { account: own, email, role: 'owner' });
    const page = await openPage('/keys', { person });
    await page.getByRole('link', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('half-filled');
    await person.call('/session/sign-out', { method: 'POST' });
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.waitFor();
    await screenshot(page, 'sign-in-again');
    await page.keyboard.press('Escape');
    expect(await again.getByLabel('Email').inputValue()).toBe(email);
    await again.getByLabel('Password').fill('a wrong password');
    await page.keyboard.press('Enter');
    await again.getByText('The email address or the password is wrong').waitFor();
    await again.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('half-filled');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText('It is not shown again').waitFor();
    await expectSound(page);
  },
);

fullBrowserTest(
  'a sign-out in another tab hides a half-filled form, and a sign-in there brings it back',
  async () => {
    const email = 'cleo@example.com';
    const person = await joinOrganization(server, operator, { account: own, email, role: 'owner' });
    const page = await openPage('/organization', { person });
    await page.getByRole('textbox', { name: 'Name' }).first().fill('Another name');
    const other = await page.context().newPage();
    await other.goto('/');
    await untilShown(other);
    await other.getByRole('button', { name: `Your account, ${email}` }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await other.goto('/sign-in');
    await other.getByLabel('Email').fill(email);
    await other.getByLabel('Password').fill(PASSWORD);
    await other.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Name' }).first().inputValue()).toBe('Another name');
  },
);

fullBrowserTest('a role that somebody else takes away is noticed at the next refusal', async () => {
  const email = 'eve@example.com';
  const { body: account } = await operator.call('/operator/accounts', {
    body: { name: 'Of Eve', plan: 'free' },
  });
  const person = await joinOrganization(server, operator, { account: account.id, email, role: 'owner' });
  const members = `/organizations/${account.id}/members`;
  const [{ id }] = (await person.call(members)).body.data;
  const join = { account: account.id, email: 'fay@example.com', role: 'owner' };
  const other = await joinOrganization(server, operator, join);
  const page = await openPage('/keys?do=create', { person });
  await other.call(`${members}/${id}`, { method: 'PATCH', body: { role: 'viewer' } });
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Your roles were changed.').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByRole('link', { name: 'Create key' }).count()).toBe(0);
  await Bun.sleep(2_000); // refusals within two seconds cause one question
  await other.call(`${members}/${id}`, { method: 'DELETE' });
  await page.getByRole('link', { name: 'Models' }).first().click();
  await page.getByText('You are in no organization').waitFor();
});

fullBrowserTest('an existing person who accepts an invitation lands in the new organization', async () => {
  const email = 'dora@example.com';
  const person = await joinOrganization(server, operator, { account: own, email, role: 'viewer' });
  const { body: account } = await operator.call('/operator/accounts', {
    body: { name: 'The new organization', plan: 'free' },
  });
  const invited = await operator.call(`/operator/accounts/${account.id}/invitations`, {
    body: { email, role: 'developer' },
  });
  const { hash } = new URL(invited.body.link);
  const page = await openPage(`/invitation${hash}`, { person });
  await page.getByRole('button', { name: `Accept as ${email}` }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: 'Organization: The new organization' }).waitFor();
});

fullBrowserTest('a slow network shows what it waits for, and a press counts once', async () => {
  const page = await openPage('/operator/accounts', { person: operator });
  await page.getByRole('button', { name: 'Create account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Made once');
  let calls = 0;
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  await page.route('**/operator/accounts', async (route) => {
    if (route.request().method() === 'POST') {
      calls++;
      await held;
    }
    await route.continue();
  });
  const button = dialog.getByRole('button', { name: 'Create account' });
  await button.click();
  await page.waitForFunction(() => document.querySelector('dialog [aria-busy]') !== null);
  await button.click({ force: true });
  await dialog.getByLabel('Name').press('Enter');
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  goOn();
  await page.getByRole('heading', { name: 'Made once' }).waitFor();
  expect(calls).toBe(1);
  await expectSound(page);
});

fullBrowserTest('Escape does not discard a key that the server is creating', async () => {
  const page = await openPage('/keys?do=create', { person: operator });
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Made late');
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  await page.route('**/keys', async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.waitForFunction(() => document.querySelector('dialog [aria-busy]') !== null);
  await page.keyboard.press('Escape');
  goOn();
  await dialog.locator('.secret code').waitFor();
});

fullBrowserTest('a slow poll does not replace the answer to a later one', async () => {
  const page = await openPage('/operator/providers', { person: operator });
  const provider = page.getByRole('heading', { name: 'simulator' });
  await provider.waitFor();
  let polls = 0;
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { promise: wasLate, resolve: endLate } = Promise.withResolvers<void>();
  await page.route('**/operator/providers', async (route) => {
    polls++;
    if (polls > 1) {
      await route.fulfill({ response: await route.fetch() });
      return answer();
    }
    const response = await route.fetch();
    await answered;
    await route.fulfill({ response, json: { ...(await response.json()), data: [] } });
    endLate();
  });
  await wasLate;
  await page.evaluate(
    () => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))),
  );
  expect(await provider.count()).toBe(1);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

fullBrowserTest('events of a tab stop while it is hidden, and follow again when it is shown', async () => {
  const page = await openPage('/requests', { person: operator });
  await page.getByText('Live', { exact: true }).waitFor();
  let streams = 0;
  page.on('request', (request) => {
    if (request.url().includes('/dashboard/v1/events')) streams++;
  });
  const show = (state: 'hidden' | 'visible') =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { value: now, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await show('hidden');
  await page.getByText('Connecting', { exact: true }).waitFor();
  expect(streams).toBe(0);
  const { key } = await server.createKey('free', { account: own });
  await server.chat(key, 'sample-small');
  await show('visible');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('cell', { name: 'sample-small' }).first().waitFor();
  expect(streams).toBe(1);
});

browserTest(
  'a killed server leaves the page as it is, says so, and the page goes on with the next one',
  async () => {
    const page = await openPage('/operator/accounts', { person: operator });
    await page.getByRole('button', { name: 'Create account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Kept through a crash');
    await page.route('**/dashboard/v1/**', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await dialog.getByText('The server cannot be reached').waitFor();
    await page.unroute('**/dashboard/v1/**');
    server.signal('SIGKILL');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await dialog.getByText('The server cannot be reached').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Kept through a crash');
  },
);
