import { expect, test } from 'bun:test';
import { sampleEntry } from '../../settings/catalog/testing/sample-entry.ts';
import { sampleTarget } from '../../settings/hosts/testing/sample-target.ts';
import { isListed } from './is-listed.ts';

test('pay-as-you-go mode lists only models with exact delivery', () => {
  const entry = sampleEntry({ model: { delivery: 'optimized' }, targets: [sampleTarget()] });
  const listed = (payg: boolean) => isListed(entry, { payg, listsUnavailable: false });
  expect(listed(false)).toBe(true);
  expect(listed(true)).toBe(false);
});

test('a model without a provider is listed only if the operator says so', () => {
  const entry = sampleEntry({ model: { delivery: 'exact' } });
  const listed = (listsUnavailable: boolean) => isListed(entry, { payg: true, listsUnavailable });
  expect(listed(false)).toBe(false);
  expect(listed(true)).toBe(true);
});
