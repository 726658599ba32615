import { afterAll, expect } from 'bun:test';
import { startServer } from '../support/start-server.ts';
import { checkPage } from './support/check-page.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { seed, seededConfig } from './support/seed.ts';
import {
  browserTest,
  expectSound,
  fullBrowserTest,
  type OpenedPage,
  screenshot,
  useBrowser,
} from './support/use-browser.ts';

const server = await startServer({ config: seededConfig });
afterAll(() => server.stop());
const { openPage } = useBrowser(server);
const { operator, addressOf } = await seed(server);
const request = addressOf('/requests/{id}').split('/').pop()!;
const longName = `An account with a very long name ${'that goes on '.repeat(8)}`.trim();
const { body: longAccount } = await operator.call('/operator/accounts', {
  body: { name: longName, plan: 'free' },
});
const { key: longKey } = await server.createKey('free', { account: longAccount.id, name: 'k'.repeat(100) });

const focused = (page: OpenedPage): Promise<string> =>
  page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');

const path = (page: OpenedPage): string => new URL(page.url()).pathname;

browserTest('the palette finds a page, an account and a request from the keyboard', async () => {
  const page = await openPage('/keys', { person: operator });
  const find = page.getByRole('combobox', { name: 'Find a page, an account or a request' });
  await page.keyboard.press('Control+k');
  await find.waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox');
  await checkPage(page, 'palette');
  await page.keyboard.press('Escape');
  await find.waitFor({ state: 'detached' });

  await page.keyboard.press('Meta+k');
  await find.fill('audit');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Audit log' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');

  await page.keyboard.press('Control+k');
  await find.fill('very long name');
  await page.getByRole('option', { name: 'An account with' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/operator/accounts/${longAccount.id}`);

  await page.keyboard.press('Control+k');
  await find.fill(request);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/requests/${request}`);
  expect(path(page)).toBe(`/requests/${request}`);

  await page.keyboard.press('Control+k');
  await find.fill('no such thing');
  await page.getByRole('status').getByText('Nothing found').waitFor();
  await page.keyboard.press('Escape');
  await expectSound(page);
});

fullBrowserTest(
  'a question mark outside of fields shows the shortcuts, and a slash goes to the filters',
  async () => {
    const page = await openPage('/operator/accounts', { person: operator });
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    await page.keyboard.type('a?');
    expect(await page.getByRole('searchbox').inputValue()).toBe('a?');
    await page.locator('main h1').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectSound(page);
  },
);

fullBrowserTest(
  'groups of the navigation fold, stay folded, and open for the page that is shown',
  async () => {
    const page = await openPage('/keys', { person: operator });
    const group = page.getByRole('button', { name: 'Customers' });
    const people = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'People' });
    await group.click();
    expect({
      attribute: await group.getAttribute('aria-expanded'),
      isVisible: await people.isVisible(),
    }).toEqual({ attribute: 'false', isVisible: false });
    await page.reload();
    await group.waitFor();
    expect(await people.isVisible()).toBe(false);
    await page.goto('/operator/people');
    await people.waitFor();
    expect(await people.getAttribute('aria-current')).toBe('page');
    const icons = await page
      .locator('.side a path')
      .evaluateAll((paths) => paths.map((one) => one.getAttribute('d')));
    expect(new Set(icons).size).toBe(icons.length);
  },
);

fullBrowserTest(
  'the focus is kept: on the title of another page, and on the page when a link goes away',
  async () => {
    const page = await openPage('/models/sample-small', { person: operator });
    await page.goto('/models');
    await page.getByRole('link', { name: 'Sample Small' }).first().click();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    await page.getByRole('link', { name: 'Models' }).first().click();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Models');
    // The last element with the focus is removed from the page.
    await page.evaluate(() => {
      const button = document.createElement('button');
      document.querySelector('main')!.append(button);
      button.focus();
      button.remove();
    });
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    expect(await focused(page)).toBe('Models');
  },
);

browserTest(
  'a choice stays that was only looked at, or replaced by a text that names no account',
  async () => {
    const page = await openPage(`/operator/requests?account=${longAccount.id}`, { person: operator });
    const filter = page.getByRole('combobox', { name: 'Account' });
    await filter.click();
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Tab');
    expect(new URL(page.url()).searchParams.get('account')).toBe(longAccount.id);
    await filter.fill('a name of nobody');
    await page.keyboard.press('Tab');
    expect(new URL(page.url()).searchParams.get('account')).toBe(longAccount.id);
    await filter.fill('x');
    await filter.fill('');
    await page.keyboard.press('Tab');
    await page.waitForURL((url) => !url.searchParams.has('account'));
  },
);

fullBrowserTest('operators see names beside ids, cut where they are long, and filter by them', async () => {
  await server.chat(longKey, 'sample-small');
  const page = await openPage('/operator/requests', { person: operator });
  const name = page.getByRole('link', { name: longName });
  await name.first().waitFor();
  expect(await name.first().getAttribute('title')).toBe(longName);
  const isCut = await name.first().evaluate((link) => link.scrollWidth > link.clientWidth);
  expect(isCut).toBe(true);
  await page.getByRole('combobox', { name: 'Account' }).fill('very long');
  await page.getByRole('option', { name: 'An account with' }).click();
  await page.waitForURL((url) => url.searchParams.get('account') === longAccount.id);
  await page.getByLabel('Time', { exact: true }).selectOption('Between two times');
  await page.getByLabel('From').fill('2026-01-02T03:04');
  await page.waitForURL((url) => (url.searchParams.get('since') ?? '').startsWith('2026-01-0'));
  await name.first().waitFor();
  await screenshot(page, 'long-names');
  await page.setViewportSize({ width: 360, height: 780 });
  // On a phone the parts of a cell stay together, and names are whole.
  const split = await page
    .locator('td[data-label]')
    .evaluateAll((cells) => cells.filter(({ children }) => children.length > 1).length);
  expect(split).toBe(0);
  await checkPage(page, 'long-names-phone');
});

fullBrowserTest('a long name without spaces widens neither its page nor that of its members', async () => {
  const name = 'W'.repeat(120);
  const { body: account } = await operator.call('/operator/accounts', { body: { name, plan: 'free' } });
  const page = await openPage(`/operator/accounts/${account.id}`, { person: operator, width: 360 });
  await expectSound(page);
  const me = (await operator.call('/me')).body.name;
  await operator.call('/me', { method: 'PATCH', body: { name } });
  await page.setViewportSize({ width: 1280, height: 780 });
  await page.goto('/organization');
  await page.getByRole('cell', { name }).or(page.getByRole('rowheader', { name })).first().waitFor();
  await expectSound(page);
  await operator.call('/me', { method: 'PATCH', body: { name: me } });
});

browserTest('faults of fields are shown beside them, and stay until they are corrected', async () => {
  const page = await openPage('/operator/accounts', { person: operator });
  await page.getByRole('button', { name: 'Create account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('not an address');
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await dialog.getByText('Fill in this field.').waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name');
  const described = await dialog.getByLabel('Email').getAttribute('aria-describedby');
  expect(await page.locator(`[id="${described}"]`).innerText()).toContain('ada@example.com');
  await expectAccessible(page);
  await dialog.getByLabel('Name').fill('B');
  await dialog.getByText('Fill in this field.').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
});
