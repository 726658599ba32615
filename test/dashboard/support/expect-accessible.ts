import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { isOnPostgres } from '../../support/postgres/database-of.ts';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The checks of a page. Another colour scheme changes only contrasts, and another width everything else. */
const checks = {
  all: { runOnly: rules },
  layout: { runOnly: rules, rules: { 'color-contrast': { enabled: false } } },
  contrast: { runOnly: { type: 'rule', values: ['color-contrast'] } },
} satisfies Record<string, RunOptions>;

/** The pages have no frames and no media, and a failure shows the HTML instead of a selector. */
const frugal: RunOptions = { resultTypes: ['violations'], iframes: false, preload: false, selectors: false };

/** Checks a page against WCAG 2.2 AA, and against the practices that screen readers rely on. */
export async function expectAccessible(page: Page, what: keyof typeof checks = 'all'): Promise<void> {
  if (isOnPostgres) return; // the elements of a page do not depend on the store
  // The policy of the page forbids scripts in it, but not those of the browser's own tools.
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    const tools = await page.context().newCDPSession(page);
    await tools.send('Runtime.evaluate', { expression: source });
    await tools.detach();
  }
  const { violations, passes } = await page.evaluate(
    (options) =>
      (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(options),
    { ...checks[what], ...frugal } as RunOptions,
  );
  const reported = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
  );
  const { pathname } = new URL(page.url());
  expect([pathname, reported, passes.length > 0]).toEqual([pathname, [], true]);
}
