import { afterAll, describe, expect, test } from 'bun:test';
import type { Request } from 'playwright-core';
import { findPage } from '../../dashboard/app/find-page.ts';
import { pages } from '../../dashboard/app/pages.ts';
import { pagePaths } from '../../src/console/site/page-paths.ts';
import { isFull } from '../support/is-full.ts';
import { startServer } from '../support/start-server.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { type Seed, seed, seededConfig } from './support/seed.ts';
import {
  expectSound,
  type OpenedPage,
  type OpenOptions,
  screenshot,
  storeBrowserTest,
  untilShown,
  useBrowser,
} from './support/use-browser.ts';

/**
 * The compressed size of everything that any page loads at first: its document, scripts, style and answers.
 */
const BUDGET = 100_000;

const server = await startServer({ config: seededConfig });
afterAll(() => server.stop());
const { openPage } = useBrowser(server);
let seeding: Promise<Seed> | undefined;
const seeded = (): Promise<Seed> => {
  seeding ??= seed(server);
  return seeding;
};

test('every address that the server knows is that of one page', () => {
  const paths = pages.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.toSorted()).toEqual([...pagePaths].sort());
  for (const path of paths) expect(findPage(path.replace(/\{\w+\*?\}/, 'x'))?.page.path).toBe(path);
});

/** Returns the name of a screenshot. */
const nameOf = (path: string): string => path.replace(/[^a-z]+/g, '-').replace(/^-|-$/g, '') || 'start';

/**
 * One page of the browser for everybody who is signed in and one for nobody, since a new one
 * costs more than an address in it.
 */
const opened = new Map<OpenOptions['person'], Promise<OpenedPage>>();

async function pageOf(person: OpenOptions['person']): Promise<OpenedPage> {
  const page = await openPage('about:blank', { isKept: true, ...(person && { person }) });
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'br' });
  const tools = await page.context().newCDPSession(page);
  await tools.send('Network.enable');
  await tools.send('Network.setCacheDisabled', { cacheDisabled: true });
  return page;
}

/** Shows an address as if it were the first one, and measures what it loads until it is shown. */
async function load(
  address: string,
  person: OpenOptions['person'],
): Promise<{ page: OpenedPage; bytes: number }> {
  if (!opened.has(person)) opened.set(person, pageOf(person));
  const page = await opened.get(person)!;
  await page.setViewportSize({ width: 1280, height: 900 });
  page.problems.length = 0;
  const sizes: Promise<number>[] = [];
  const measure = (request: Request) =>
    sizes.push(request.sizes().then((sent) => sent.responseBodySize + sent.responseHeadersSize));
  page.on('requestfinished', measure);
  await page.goto(address);
  await untilShown(page);
  page.off('requestfinished', measure);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return { page, bytes };
}

/** After the first form, a colour scheme changes only contrasts, and a size everything else. */
const forms = [
  { name: 'light', colorScheme: 'light', width: 1280, check: 'all' },
  { name: 'dark', colorScheme: 'dark', width: 1280, check: 'contrast' },
  { name: 'phone', colorScheme: 'light', width: 360, check: 'layout' },
] as const;
type Form = Omit<(typeof forms)[number], 'check'> & { check: 'all' | 'contrast' | 'layout' };

/** Returns the forms in which a page is checked. In the ordinary run, pages take turns with them. */
const formsOf = (index: number): readonly Form[] =>
  isFull ? forms : [{ ...forms[index % forms.length]!, check: 'all' }];

describe(`every page loads within the budget, fits 360 px, and is accessible in ${isFull ? 'light, in dark and at 360 px' : 'one form'}`, () => {
  for (const [index, path] of [...pagePaths].entries())
    storeBrowserTest(path, async () => {
      const { access } = pages.find((one) => one.path === path)!;
      const { operator, addressOf } = await seeded();
      const { page, bytes } = await load(addressOf(path), access === 'signed-out' ? undefined : operator);
      expect(new URL(page.url()).pathname).toBe(addressOf(path));
      expect(bytes).toBeGreaterThan(10_000);
      expect(bytes).toBeLessThan(BUDGET);
      const isCurrentShown = await page
        .locator('.side [aria-current]')
        .evaluateAll((links) => links.every((link) => link.getBoundingClientRect().bottom <= innerHeight));
      expect(isCurrentShown).toBe(true);
      for (const { name, colorScheme, width, check } of formsOf(index)) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 780 });
        await screenshot(page, `${nameOf(path)}-${name}`);
        await expectAccessible(page, check);
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 360, height: 780 });
      await expectSound(page);
    });
});
