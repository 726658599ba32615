import { expect, test } from 'bun:test';
import { buildSite } from './build-site.ts';

/**
 * The compressed size of the scripts and the style that every page loads first. test/dashboard/pages.test.ts
 * measures each page.
 */
const BUDGET = 40_000;

test('the dashboard is built for browsers, in parts that are smaller than the budget together', async () => {
  const { files, script, parts, style } = await buildSite();
  expect([...files.keys()].every((name) => /^[\w.-]+-[a-z0-9]{8}\.(js|css)$/.test(name))).toBe(true);
  expect(files.has(script) && files.has(style)).toBe(true);
  const first = await Promise.all([script, ...parts, style].map((name) => files.get(name)!.in('gzip')));
  expect(first.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(BUDGET);
  const text = new TextDecoder().decode(await files.get(script)!.in('plain'));
  expect(text).not.toContain('jsxDEV');
  expect(text).not.toContain('sourceMappingURL');
});
