import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Checks a page against WCAG 2.2 AA, and against the practices that screen readers rely on. */
export async function expectAccessible(page: Page): Promise<void> {
  // The policy of the page forbids scripts in it, but not those of the browser's own tools.
  const tools = await page.context().newCDPSession(page);
  await tools.send('Runtime.evaluate', { expression: source });
  await tools.detach();
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  const told = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
  );
  expect([new URL(page.url()).pathname, told]).toEqual([new URL(page.url()).pathname, []]);
}
