import { expect, test } from 'bun:test';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { isListed } from './is-listed.ts';

test('pay-as-you-go mode lists only models with exact delivery', () => {
  const entry = { model: { delivery: 'optimized' }, targets: [{}] } as unknown as CatalogEntry;
  const listed = (payg: boolean) => isListed(entry, { payg, listsUnavailable: false });
  expect([listed(false), listed(true)]).toEqual([true, false]);
});

test('a model without a provider is listed only if the operator says so', () => {
  const entry = { model: { delivery: 'exact' }, targets: [] } as unknown as CatalogEntry;
  const listed = (listsUnavailable: boolean) => isListed(entry, { payg: true, listsUnavailable });
  expect([listed(false), listed(true)]).toEqual([false, true]);
});
