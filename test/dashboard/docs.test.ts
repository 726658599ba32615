import { afterAll, expect } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startServer } from '../support/start-server.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import {
  browserTest,
  expectSound,
  fullBrowserTest,
  type OpenedPage,
  screenshot,
  useBrowser,
} from './support/use-browser.ts';

const server = await startServer();
const folder = mkdtempSync(join(tmpdir(), 'tollgate-site-'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});
const { key } = await server.createKey('pro');
const { openPage } = useBrowser(server);

browserTest(
  'a request is sent from the documentation with the key that the reader enters, which is not kept',
  async () => {
    const page = await openPage('/docs');
    const chat = page.locator('.try:has([data-method="POST"] [value="/v1/chat/completions"])');
    await chat.locator('summary').click();
    await chat.getByLabel('API key').fill(key);
    await chat.getByRole('button', { name: 'Send' }).click();
    await chat.getByText(/^Status 200, complete after/).waitFor();
    expect(await chat.locator('.answer').innerText()).toContain('"object": "chat.completion"');
    await expectSound(page);
    await screenshot(page, 'docs-try-it');
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(kept + page.url()).not.toContain(key);
    await page.reload();
    expect(await page.content()).not.toContain(key);
  },
);

browserTest('the documentation sends an entered key to no path but those of the API', async () => {
  const page = await openPage('/docs');
  const usage = page.locator('.try:has([value="/v1/usage"])');
  await usage.locator('summary').click();
  await usage.getByLabel('API key').fill(key);
  for (const path of ['https://evil.example/v1/models', '/dashboard/v1/session']) {
    await usage.getByLabel('Path').fill(path);
    await usage.getByRole('button', { name: 'Send' }).click();
    await usage.getByText('The path must begin with /v1/.').waitFor();
    await usage.getByLabel('Path').fill('/v1/usage');
    await usage.getByRole('button', { name: 'Send' }).click();
    await usage.getByText(/^Status 200, complete after/).waitFor();
  }
  const chat = page.locator('.try:has([data-method="POST"] [value="/v1/chat/completions"])');
  await chat.locator('summary').click();
  expect(await chat.getByLabel('API key').inputValue()).toBe(key);
  await expectSound(page);
});

fullBrowserTest('an answer arrives piece by piece, and an error is shown', async () => {
  const page = await openPage('/docs');
  const messages = page.locator('.try:has([value="/v1/messages"])');
  await messages.locator('summary').click();
  await messages.getByLabel('API key').fill('svc_wrong');
  await messages.getByRole('button', { name: 'Send' }).click();
  await messages.getByText(/^Status 401/).waitFor();
  await messages.getByLabel('API key').fill(key);
  const body = JSON.parse(await messages.getByLabel('Body').inputValue());
  await messages.getByLabel('Body').fill(JSON.stringify({ ...body, stream: true }));
  await messages.getByRole('button', { name: 'Send' }).click();
  await messages.getByText(/^Status 200, complete/).waitFor();
  expect(await messages.locator('.answer').innerText()).toContain('message_stop');
});

/**
 * Removes what looks like something before it. Colours follow the tags and classes of an element and of those
 * around it, so the contrasts of the rest are those of the page. It has 22,000 elements.
 */
const keepOneOfEachLook = (page: OpenedPage): Promise<number> =>
  page.evaluate(() => {
    const looks = new Set<string>();
    const lookOf = (element: Element): string => {
      const own = `${element.tagName}.${element.className}`;
      return element.parentElement ? `${lookOf(element.parentElement)} ${own}` : own;
    };
    for (const selector of ['dl > div', 'li', 'tr', 'article'])
      for (const item of document.querySelectorAll(`main ${selector}`)) {
        const known = looks.size;
        for (const element of [item, ...item.querySelectorAll('*')])
          looks.add(`${selector}: ${lookOf(element)}`);
        if (looks.size === known) item.remove();
      }
    return document.querySelectorAll('*').length;
  });

/** The page is long: checking it takes seconds on a quiet machine. */
const LONG_MS = 200_000;

// A size changes everything but colours, and a colour scheme only contrasts.
fullBrowserTest(
  'the documentation is accessible and sound on a phone, in light and in dark',
  async () => {
    const page = await openPage('/docs', { width: 360, height: 780 });
    await page.evaluate(() => {
      for (const one of document.querySelectorAll<HTMLDetailsElement>('.try, .choices details'))
        one.open = true;
    });
    await expectSound(page);
    await expectAccessible(page, 'layout');
    await page.setViewportSize({ width: 1280, height: 900 });
    await expectSound(page);
    expect(await keepOneOfEachLook(page)).toBeGreaterThan(500);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, 'contrast');
  },
  LONG_MS,
);

/** Searches on a page of the guides, and opens the first result. */
async function searchFor(page: OpenedPage, words: string): Promise<string> {
  await page.getByRole('searchbox').fill(words);
  await page.getByText(/^\d+ results?\.$/).waitFor();
  expect(await page.locator('article').isHidden()).toBe(true);
  const before = page.url();
  await page.getByRole('searchbox').press('Enter');
  await page.waitForURL(({ href }) => href !== before);
  return page.url();
}

fullBrowserTest(
  'the guides are searched, followed and read on a phone and in dark, without another host',
  async () => {
    const page = await openPage('/docs/', { width: 360, height: 780 });
    await expectSound(page);
    await expectAccessible(page, 'layout');
    await screenshot(page, 'guides-360');
    expect(await searchFor(page, 'the drain_notice_s')).toContain('/docs/');
    await page.getByRole('searchbox').fill('nosuchword');
    await page.getByText('No results.').waitFor();
    for (const path of ['configuration', 'benchmarks', 'architecture', 'clients/openai-sdk']) {
      await page.goto(`/docs/${path}.html`);
      await expectSound(page);
      await expectAccessible(page, path === 'benchmarks' ? 'all' : 'layout');
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto('/docs/deployment.html');
    await expectSound(page);
    await screenshot(page, 'guides');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, 'contrast');
    await screenshot(page, 'guides-dark');
    await page.getByRole('link', { name: 'Routing', exact: true }).click();
    await page.waitForURL('**/docs/routing.html');
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.waitForURL('**/docs');
    await page.getByRole('link', { name: 'Guides' }).click();
    await page.waitForURL('**/docs/index.html');
    await expectSound(page);
  },
);

fullBrowserTest('the static site works when it is opened from a file', async () => {
  const built = Bun.spawnSync(
    ['bin/tollgate', 'docs', 'build', folder, '--address', 'https://models.example'],
    {
      cwd: join(import.meta.dir, '..', '..'),
    },
  );
  expect({ exitCode: built.exitCode, stderr: built.stderr.toString() }).toEqual({ exitCode: 0, stderr: '' });
  const page = await openPage('about:blank');
  await page.goto(pathToFileURL(join(folder, 'clients', 'openai-sdk.html')).href);
  expect(await searchFor(page, 'POST /v1/messages max_tokens')).toContain('/reference.html#post-v1-messages');
  await page.getByText('https://models.example/v1/messages').first().waitFor();
  expect(await page.locator('.try').count()).toBe(0);
  await page.getByRole('link', { name: 'Guides' }).click();
  await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
  expect(page.problems.filter((problem) => !problem.startsWith('a request to file:'))).toEqual([]);
});
