import { afterAll, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { startServer } from '../support/start-server.ts';
import { startSmtp, tokenIn } from '../support/start-smtp.ts';
import { PASSWORD, type SignedInPerson, signInAsOperator, signInWithPassword } from './sign-in.ts';
import { checkPage } from './support/check-page.ts';
import { codeOf } from './support/code-of.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { seededConfig } from './support/seed.ts';
import { browserTest, expectSound, fullBrowserTest, untilShown, useBrowser } from './support/use-browser.ts';

const smtp = startSmtp();
const server = await startServer({
  config: {
    ...seededConfig,
    server: { public_url: 'http://gateway.example' },
    dashboard: { sign_up: 'open', sign_up_plan: 'starter' },
    mail: { host: '127.0.0.1', port: smtp.port, tls: 'none', from: 'Gateway <gateway@example.com>' },
  },
});
afterAll(async () => {
  await server.stop();
  smtp.stop();
});
const { openPage } = useBrowser(server);
const operator: SignedInPerson = await signInAsOperator(server);

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const pathOf = (page: Page) => new URL(page.url()).pathname;

/**
 * Returns the address of a mail's link. The address in mails is that of the installation, which a test has no
 * name for.
 */
const linkFor = async (email: string, path: string, count = 1): Promise<string> =>
  `${path}#token=${encodeURIComponent(tokenIn(await smtp.mailTo(email, count)))}`;

async function enterPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Sign in').click();
}

async function signOut(page: Page, email: string): Promise<void> {
  await button(page, `Your account, ${email}`).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await heading(page, 'Sign in').waitFor();
}

const ada = 'ada@example.com';

browserTest('says that a provider did not sign the person in', async () => {
  const page = await openPage('/sign-in?error=account_not_linked');
  await page.getByText('The provider did not sign you in here.').waitFor();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.waitForURL('**/sign-up');
});

browserTest(
  'leads from open sign-up over the link of a mail to the first answer in the playground',
  async () => {
    const page = await openPage('/');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Email').fill(ada);
    await page.getByLabel('Password').fill('short');
    await button(page, 'Create account').click();
    expect(
      await page.getByLabel('Password').evaluate((input: HTMLInputElement) => input.validity.valid),
    ).toBe(false);
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Create account').click();
    await heading(page, 'Confirm your address').waitFor();
    await checkPage(page, 'flow-confirm');
    await page.getByRole('link', { name: 'Sign in' }).last().click();
    await enterPassword(page, ada);
    await page.getByText('or the address is not verified yet').waitFor();
    const link = await linkFor(ada, '/verify');
    await page.goto(link);
    await page.getByText('You are signed in.').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await heading(page, 'First steps').waitFor();
    await checkPage(page, 'flow-first-steps');
    await page.getByRole('main').getByRole('link', { name: 'Open the playground' }).first().click();
    await page.getByRole('textbox', { name: 'Message' }).fill('say: welcome');
    await button(page, 'Send').click();
    await page.getByRole('region', { name: 'Conversation' }).getByText('[simulated] welcome').waitFor();
    await page.getByRole('region', { name: 'Receipt' }).getByText('credits').waitFor();
    await expectSound(page);
    page.release();
  },
);

fullBrowserTest('a link that was used confirms again, and a wrong one leads to another link', async () => {
  const page = await openPage(await linkFor(ada, '/verify'));
  await page.getByText('Sign in to continue.').waitFor();
  await page.goto('/verify#token=wrong');
  await heading(page, 'The link does not work').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Request another link' }).click();
  await heading(page, 'Confirm your address').waitFor();
  await page.getByLabel('Email').fill('unknown@example.com');
  await button(page, 'Send a link').click();
  await page.getByText('If unknown@example.com has an account, a link is on its way.').waitFor();
  await expectSound(page);
  page.release();
});

fullBrowserTest('a code of an app, or a recovery code that works once, completes the sign-in', async () => {
  const person = await signInWithPassword(server, ada);
  const page = await openPage('/account', { person });
  await button(page, 'Turn on').click();
  await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD);
  await button(page, 'Continue').click();
  const uri = (await page.getByRole('link', { name: 'Open the app on this device' }).getAttribute('href'))!;
  await page.getByRole('dialog').getByLabel('Code', { exact: true }).fill(codeOf(uri));
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('Keep these recovery codes.').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const codes = (await page.locator('[role=status] pre').innerText()).trim().split('\n');
  expect(codes).toHaveLength(10);
  await checkPage(page, 'flow-recovery-codes');

  await signOut(page, ada);
  await enterPassword(page, ada);
  await heading(page, 'Enter your code').waitFor();
  await checkPage(page, 'flow-code');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await button(page, 'Continue').click();
  await page.getByText('The code is wrong').waitFor();
  expect(pathOf(page)).toBe('/sign-in');
  await page.getByLabel('Code', { exact: true }).fill(codeOf(uri, Date.now() + 30_000));
  await button(page, 'Continue').click();
  await heading(page, 'Overview').waitFor();
  await page.goto(`${server.url}/sign-in?next=${encodeURIComponent('/\t/evil.example')}`);
  await heading(page, 'Overview').waitFor();
  expect(page.url()).toBe(`${server.url}/`);

  for (const isFirst of [true, false]) {
    await signOut(page, ada);
    await enterPassword(page, ada);
    await button(page, 'Use a recovery code').click();
    await page.getByLabel('Recovery code', { exact: true }).fill(codes[0]!);
    await button(page, 'Continue').click();
    if (isFirst) await heading(page, 'Overview').waitFor();
    else await page.getByText('The code is wrong').waitFor();
  }
  await button(page, 'Back').click();
  await heading(page, 'Sign in').waitFor();
  await expectSound(page);
  page.release();
});

const NEW_PASSWORD = 'another long password';

fullBrowserTest('the link of a mail sets another password, and works once', async () => {
  const page = await openPage('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill('operator@example.com');
  await button(page, 'Send a link').click();
  await page.getByText('If operator@example.com has an account, a link is on its way.').waitFor();
  await expectAccessible(page);
  const link = await linkFor('operator@example.com', '/reset');
  await page.goto(link);
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await expectAccessible(page);
  await button(page, 'Change the password').click();
  await heading(page, 'Your password is changed').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await enterPassword(page, 'operator@example.com');
  await page.getByText('The email address or the password is wrong').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
  await button(page, 'Sign in').click();
  await heading(page, 'Overview').waitFor();
  expect((await operator.call('/operator/accounts')).status).toBe(401);
  page.release();

  const again = await openPage(link);
  await again.getByLabel('New password').fill(PASSWORD);
  await button(again, 'Change the password').click();
  await again.getByRole('alert').waitFor();
  await again.getByRole('link', { name: 'Request another link' }).click();
  await again.getByLabel('Email').waitFor();
  await expectSound(again);
  again.release();
});

fullBrowserTest('an invitation is accepted by the person that it names, after a sign-in', async () => {
  const owner = await signInWithPassword(server, 'operator@example.com', NEW_PASSWORD);
  const [{ id }] = (await owner.call('/session')).body.organizations;
  const invite = (account: string, role: string) =>
    owner.call(`/operator/accounts/${account}/invitations`, { body: { email: grace, role } });
  const grace = 'grace@example.com';

  await invite(id, 'viewer');
  const person = await signInWithPassword(server, owner.email, NEW_PASSWORD);
  const page = await openPage(await linkFor(grace, '/invitation'), { person });
  await page.getByText('You are signed in as operator@example.com.').waitFor();
  await checkPage(page, 'flow-invitation-other-person');
  await button(page, 'Sign out to continue').click();
  await page.getByLabel('Your name').fill('Grace');
  await page.getByLabel('Password').fill(PASSWORD);
  await button(page, 'Create account').click();
  await heading(page, 'Overview').waitFor();
  await untilShown(page);
  await signOut(page, grace);

  const second = await server.createAccount('starter');
  await invite(second, 'owner');
  const link = await linkFor(grace, '/invitation', 2);
  await page.goto(link);
  await page.getByRole('link', { name: 'Sign in and accept' }).click();
  await enterPassword(page, grace);
  await button(page, `Accept as ${grace}`).click();
  await heading(page, 'Overview').waitFor();
  await button(page, 'Organization: starter').click();
  await page.getByRole('menuitemradio', { name: /First account/ }).click();
  await button(page, 'Organization: First account').waitFor();
  await page.goto(link);
  await heading(page, 'The invitation does not work').waitFor();
  await checkPage(page);
  page.release();
});
