import { afterAll, expect } from 'bun:test';
import { startServer } from '../support/start-server.ts';
import { PASSWORD, signInWithPassword } from './sign-in.ts';
import { seededConfig } from './support/seed.ts';
import {
  browserTest,
  expectSound,
  fullBrowserTest,
  type OpenedPage,
  untilShown,
  useBrowser,
} from './support/use-browser.ts';

const server = await startServer({ config: seededConfig });
afterAll(() => server.stop());
const { openPage } = useBrowser(server);

const focused = (page: OpenedPage): Promise<string> =>
  page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');

/** Goes to an address as a link of the dashboard does, without loading the document again. */
async function goTo(page: OpenedPage, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

browserTest('on a first start, the admin token makes its holder the first operator', async () => {
  const page = await openPage('/');
  await page.getByRole('link', { name: 'Set up this server' }).click();
  await page.getByLabel('Admin token').fill('tga_wrong');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Admin token').fill(server.adminToken);
  await page.getByRole('button', { name: 'Become the operator' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  await page.reload();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await expectSound(page);
});

browserTest('a sign-out removes drafts, and a wrong password is refused with the focus on it', async () => {
  const page = await openPage('/', { person: await signInWithPassword(server, 'ada@example.com') });
  await page.evaluate(() => sessionStorage.setItem('draft:playground', '{"text":"private"}'));
  await page.getByRole('button', { name: 'Your account, ada@example.com' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await page.waitForFunction(() => !Object.keys(sessionStorage).some((name) => name.startsWith('draft:')));
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill('not the password');
  await page.keyboard.press('Enter');
  await page.getByText('The email address or the password is wrong').waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await expectSound(page);
});

browserTest('a page for signed-in people leads to the sign-in, and from there back to itself', async () => {
  const page = await openPage('/usage?range=24h');
  await page.waitForURL('**/sign-in?next=*');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
  const { pathname, search } = new URL(page.url());
  expect(`${pathname}${search}`).toBe('/usage?range=24h');
  await expectSound(page);
});

browserTest('the menu of a narrow screen closes after each of its links', async () => {
  const page = await openPage('/keys?state=all', {
    person: await signInWithPassword(server, 'ada@example.com'),
    width: 360,
  });
  const menu = page.getByRole('dialog', { name: 'Menu' });
  for (const name of ['Keys', 'Keys', 'Models']) {
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    expect(await menu.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await menu.getByRole('link', { name, exact: true }).click();
    await menu.waitFor({ state: 'hidden' });
  }
});

browserTest('links open pages without loading the document again, and the back button returns', async () => {
  const page = await openPage('/');
  let documents = 0;
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents++;
  });
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('heading', { name: 'Choose another password' }).waitFor();
  await page.waitForFunction(() => document.title === 'Choose another password · Tollgate');
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  await page.goBack();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect({ documents, pathname: new URL(page.url()).pathname }).toEqual({
    documents: 0,
    pathname: '/sign-in',
  });
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

fullBrowserTest('an unknown address says so, and /docs is another document', async () => {
  const page = await openPage('/sign-in');
  await goTo(page, '/no-such-page');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Documentation' }).click();
  await page.getByRole('heading', { name: 'API documentation' }).waitFor();
});

fullBrowserTest('a page that fails to render leaves the next address of its kind usable', async () => {
  const person = await signInWithPassword(server, 'ada@example.com');
  const page = await openPage('/requests/req_first', { person });
  await page.route('**/dashboard/v1/**/requests/req_broken', (route) =>
    route.fulfill({ json: { request: {} } }),
  );
  await goTo(page, '/requests/req_broken');
  await page.locator('main h1').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await goTo(page, '/requests/req_next');
  await page.getByText('No request with this id is kept').waitFor();
  expect(await page.locator('main code').first().innerText()).toBe('req_next');
});

fullBrowserTest('the first stop of the keyboard is a link to the content', async () => {
  const page = await openPage('/');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
});

fullBrowserTest('the chosen colours stay after a reload', async () => {
  const page = await openPage('/');
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole('button', { name: 'Colours' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.role === 'menuitemradio');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const dark = await background();
  expect(dark).not.toBe(light);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Colours');
  await page.reload();
  await untilShown(page);
  expect(await background()).toBe(dark);
});

fullBrowserTest('on a phone, the menu keeps the focus while it is open and returns it', async () => {
  const person = await signInWithPassword(server, 'ada@example.com');
  const page = await openPage('/', { person, width: 360 });
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Menu' }).waitFor();
  // Past the ends of a dialog are the browser's own controls, for which the body stands.
  const isInside = () =>
    page.evaluate(() => {
      const { activeElement: active, body } = document;
      return active === body || active?.closest('dialog') !== null;
    });
  for (let step = 0; step < 4; step++) {
    expect(await isInside()).toBe(true);
    await page.keyboard.press('Shift+Tab');
  }
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Menu');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

fullBrowserTest('a second tab follows when another person signs in', async () => {
  const person = await signInWithPassword(server, 'ada@example.com');
  const page = await openPage('/keys', { person });
  const other = await page.context().newPage();
  await other.goto('/');
  await untilShown(other);
  await other.getByRole('button', { name: 'Your account, ada@example.com' }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in?next=%2Fkeys');
  await other.getByRole('link', { name: 'Sign in' }).first().click();
  await other.getByLabel('Email').fill('ada@example.com');
  await other.getByLabel('Password').fill(PASSWORD);
  await other.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  await expectSound(page);
});

fullBrowserTest('a session that has ended elsewhere leads to the sign-in, and from there back', async () => {
  const person = await signInWithPassword(server, 'ada@example.com');
  const page = await openPage('/', { person });
  await person.call('/session/sign-out', { method: 'POST' });
  await page.getByRole('link', { name: 'Batches' }).click();
  await page.waitForURL('**/sign-in?next=%2Fbatches');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
