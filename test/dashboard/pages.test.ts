import { afterAll, describe, expect, test } from 'bun:test';
import { findPage } from '../../dashboard/app/find-page.ts';
import { pages } from '../../dashboard/app/pages.ts';
import { pagePaths } from '../../src/api/site/page-paths.ts';
import { startServer } from '../support/start-server.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { type Seed, seed, seededConfig } from './support/seed.ts';
import { browserTest, expectSound, screenshot, storeBrowserTest, useBrowser } from './support/use-browser.ts';

/** The compressed size of everything that any page loads at first: its document, scripts, style and answers. */
const BUDGET = 100_000;

const server = await startServer({ config: seededConfig });
afterAll(() => server.stop());
const { openPage } = useBrowser(server);
let seeding: Promise<Seed> | undefined;
const seeded = (): Promise<Seed> => {
  seeding ??= seed(server);
  return seeding;
};

test('every page has an address that the server knows, and is there once', () => {
  const paths = pages.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.filter((path) => !pagePaths.includes(path))).toEqual([]);
  for (const path of paths) expect(findPage(path.replace(/\{\w+\*?\}/, 'x'))?.page.path).toBe(path);
});

/** The name of a screenshot. */
const nameOf = (path: string): string => path.replace(/[^a-z]+/g, '-').replace(/^-|-$/g, '') || 'start';

describe('with seeded data, without a problem, accessible in both colour schemes and at 360 px', () => {
  for (const { path, access } of pages)
    storeBrowserTest(path, async () => {
      const { operator, addressOf } = await seeded();
      const page = await openPage(addressOf(path), access === 'signed-out' ? {} : { person: operator });
      const name = nameOf(path);
      await screenshot(page, `${name}-light`);
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await screenshot(page, `${name}-dark`);
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 360, height: 780 });
      await screenshot(page, `${name}-phone`);
      await expectAccessible(page);
      await expectSound(page);
      await page.context().close();
    });
});

describe('the first load of a page is smaller than the budget', () => {
  for (const { path, access } of pages)
    browserTest(path, async () => {
      const { operator, addressOf } = await seeded();
      const page = await openPage('about:blank', access === 'signed-out' ? {} : { person: operator });
      const sizes: Promise<number>[] = [];
      page.on('requestfinished', (request) =>
        sizes.push(request.sizes().then((sent) => sent.responseBodySize + sent.responseHeadersSize)),
      );
      await page.goto(addressOf(path), { waitUntil: 'networkidle' });
      const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      expect(total).toBeGreaterThan(10_000);
      expect(total).toBeLessThan(BUDGET);
      await page.context().close();
    });
});
