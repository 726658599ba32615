import { afterAll, beforeAll, expect } from 'bun:test';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import {
  callDashboard,
  PASSWORD,
  type SignedInPerson,
  signInAsOperator,
  signInWithPassword,
} from './sign-in.ts';
import { ageSessions } from './support/age-sessions.ts';
import { checkPage } from './support/check-page.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { browserTest, expectSound, fullBrowserTest, untilShown, useBrowser } from './support/use-browser.ts';

const server = await startServer({ config: sampleConfig('http://127.0.0.1:9') });
afterAll(() => server.stop());
const { openPage } = useBrowser(server);

let [owner, viewer, operator]: SignedInPerson[] = [];

beforeAll(async () => {
  const boss = await signInAsOperator(server);
  operator = boss;
  const account = await server.createAccount('pro');
  const join = async (email: string, name: string, role: string) => {
    const invited = await boss.call(`/operator/accounts/${account}/invitations`, {
      body: { email, role },
    });
    const invitation = decodeURIComponent(invited.body.link.split('#token=')[1]);
    await callDashboard(server, '/session/sign-up', {
      body: { email, name, password: PASSWORD, invitation },
    });
    return signInWithPassword(server, email);
  };
  owner = await join('ada@example.com', 'Ada Lovelace', 'owner');
  viewer = await join('grace@example.com', 'Grace Hopper', 'viewer');
  await owner.call(`/organizations/${account}/invitations`, {
    body: { email: 'alan@example.com', role: 'developer' },
  });
});

browserTest('an owner renames, invites, changes a role, and cannot leave alone', async () => {
  const page = await openPage('/organization', { person: owner! });
  await checkPage(page, 'organization-light');
  await page.getByRole('textbox', { name: 'Name' }).fill('Analytical Engines');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The name is saved.').waitFor();
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await checkPage(page, 'organization-invite');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('grace@example.com is in the organization already.').waitFor();
  await page.getByLabel('Email').fill('edsger@example.com');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByRole('cell', { name: 'edsger@example.com', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Leave the organization' }).isDisabled()).toBe(true);
  await page.getByLabel('Role of grace@example.com').selectOption('developer');
  await page.getByText('grace@example.com is now developer.').waitFor();
  const own = page.getByLabel('Role of ada@example.com');
  await own.selectOption('viewer');
  await page.getByRole('dialog', { name: 'Become viewer?' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await own.inputValue()).toBe('owner');
  await expectSound(page);
});

fullBrowserTest('a viewer sees the members and can leave', async () => {
  const page = await openPage('/organization', { person: viewer!, dark: true, width: 390 });
  await checkPage(page, 'organization-dark-390');
  expect(await page.getByRole('button', { name: /Invite|Remove|Save/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Leave the organization' }).click();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.getByText('You have left the organization.').waitFor();
  await expectSound(page);
});

fullBrowserTest('a person changes the password, and turns two-factor sign-in on', async () => {
  const person = await signInWithPassword(server, 'ada@example.com');
  const page = await openPage('/account', { person });
  await checkPage(page, 'account-light');
  await page.getByLabel('Current password').fill('wrong');
  await page.getByLabel('New password').fill('another long password');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('The password is wrong.').waitFor();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('Your password was changed.').waitFor();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('dialog').getByLabel('Password').fill('another long password');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Set up your authenticator app' }).waitFor();
  await checkPage(page, 'account-two-factor');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('The code is wrong.').waitFor();
  await expectSound(page);
});

fullBrowserTest('the account page works in the dark and on a phone', async () => {
  const person = await signInWithPassword(server, 'ada@example.com', 'another long password');
  const page = await openPage('/account', { person, dark: true, width: 390 });
  await checkPage(page, 'account-dark-390');
  await page.getByRole('button', { name: 'End all others' }).click();
  await page.getByText('All other sessions have ended.').waitFor();
  await page.reload();
  await untilShown(page);
  await expectSound(page);
});

browserTest('a change of the sign-in asks for a new one, and is then made', async () => {
  const person = await signInWithPassword(server, 'grace@example.com');
  await signInWithPassword(server, 'grace@example.com');
  await ageSessions(server);
  const page = await openPage('/account', { person });
  const again = page.getByRole('dialog');
  await page.getByRole('button', { name: 'End all others' }).click();
  await again.getByLabel('Password').waitFor();
  await checkPage(page, 'sign-in-again');
  await again.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Sign in again to make this change.').waitFor();
  await page.getByRole('button', { name: 'End all others' }).click();
  await again.getByLabel('Password').fill('wrong');
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.getByText('The email address or the password is wrong').waitFor();
  await again.getByLabel('Password').fill(PASSWORD);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('All other sessions have ended.').waitFor();
  await again.waitFor({ state: 'detached' });
  await expectSound(page);
});

fullBrowserTest('an operator finds a person, makes a link that is shown once, and gives a role', async () => {
  await callDashboard(server, '/session/reset', { body: { email: 'grace@example.com' } });
  const page = await openPage('/operator/people', { person: operator! });
  await page.getByText('Wants a link').waitFor();
  await checkPage(page, 'people-light');
  await page.getByLabel('Find by email address').fill('grace@example.com');
  await page.getByLabel('Find by email address').press('Enter');
  await page.waitForURL(/email=grace/);
  await page.getByRole('link', { name: 'Grace Hopper' }).click();
  await page.getByText('The person waits for a link that sets a new password.').waitFor();
  await checkPage(page, 'person-light');
  await ageSessions(server);
  await page.getByRole('button', { name: 'Make a link to reset the password' }).click();
  await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD);
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('/reset#token=').waitFor();
  await page.getByLabel('Role').selectOption('read_only');
  await page.getByRole('button', { name: 'Save the role' }).click();
  await page.getByText('The role is saved.').waitFor();
  await page.reload();
  await untilShown(page);
  expect(await page.getByText('/reset#token=').count()).toBe(0);
  expect(await page.getByLabel('Role').inputValue()).toBe('read_only');
  await page.getByRole('button', { name: 'Remove the person' }).click();
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Remove the person' }).isDisabled()).toBe(
    true,
  );
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('textbox').fill('grace@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the person' }).click();
  await page.waitForURL(/operator.people$/);
  await expectSound(page);
});

fullBrowserTest('an operator invites somebody, and sees the link once', async () => {
  const person = await signInWithPassword(server, 'operator@example.com');
  const page = await openPage('/operator/people', { person, dark: true, width: 390 });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await page.getByLabel('Email', { exact: true }).fill('new@example.com');
  await page.getByRole('combobox', { name: 'Account' }).fill('no such account');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const account = page.getByRole('combobox', { name: 'Account' });
  expect(await account.evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(true);
  await account.fill('acct_');
  await page.getByRole('listbox', { name: 'Account' }).getByRole('option').first().click();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('/invitation#token=').waitFor();
  await checkPage(page, 'people-invited-dark-390');
});

fullBrowserTest('the pages of operators do not exist for others', async () => {
  const page = await openPage('/operator/people', { person: owner! });
  expect(await page.getByRole('button', { name: 'Invite somebody' }).count()).toBe(0);
});
