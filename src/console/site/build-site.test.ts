import { expect, test } from 'bun:test';
import { buildSite } from './build-site.ts';

/** The compressed size of everything that a page may load at first. test/dashboard/pages.test.ts measures each page. */
const BUDGET = 100_000;

test('the dashboard is built for browsers, in parts that are smaller than the budget together', async () => {
  const { files, script, style } = await buildSite();
  expect([...files.keys()].every((name) => /^[\w.-]+-[a-z0-9]{8}\.(js|css)$/.test(name))).toBe(true);
  expect(files.has(script) && files.has(style)).toBe(true);
  const first = await Promise.all([script, style].map((name) => files.get(name)!.in('gzip')));
  expect(first[0]!.length + first[1]!.length).toBeLessThan(BUDGET / 2);
  const text = new TextDecoder().decode(await files.get(script)!.in('plain'));
  expect(text).not.toContain('jsxDEV');
  expect(text).not.toContain('sourceMappingURL');
});
