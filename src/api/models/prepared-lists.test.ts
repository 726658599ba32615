import { expect, test } from 'bun:test';
import type { Catalog, CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Viewer } from './model-view.ts';
import { listedIn, preparedList, servedOn } from './prepared-lists.ts';

const catalog = () => ({ entries: [] as CatalogEntry[] }) as unknown as Catalog;
const viewer = (payg: boolean) => ({ plan: undefined, payg, now: 1_000 }) as unknown as Viewer;

test('a list is made once for each catalog and kind of caller', async () => {
  const [one, other] = [catalog(), catalog()];
  const first = await preparedList(one, viewer(false), null);
  expect(await preparedList(one, viewer(false), null)).toBe(first);
  expect(await preparedList(one, viewer(true), null)).not.toBe(first);
  expect(await preparedList(one, viewer(false), 'openai')).not.toBe(first);
  expect(await preparedList(other, viewer(false), null)).not.toBe(first);
  expect(new TextDecoder().decode(first.body)).toBe('{"object":"list","data":[]}');
});

test('a filter keeps the models that are served on that wire', () => {
  const entry = {
    nativeWires: ['openai-chat'],
    model: { delivery: 'optimized' },
    targets: [{}],
  } as unknown as CatalogEntry;
  expect([null, 'openai', 'anthropic'].map((filter) => servedOn(filter as 'openai')(entry))).toEqual([
    true,
    true,
    false,
  ]);
  const listed = (payg: boolean) => listedIn({ payg, listsUnavailable: false })(entry);
  expect([listed(false), listed(true)]).toEqual([true, false]);
});

test('a model without a provider is listed only if the operator says so', () => {
  const entry = { model: { delivery: 'exact' }, targets: [] } as unknown as CatalogEntry;
  const listed = (listsUnavailable: boolean) => listedIn({ payg: true, listsUnavailable })(entry);
  expect([listed(false), listed(true)]).toEqual([false, true]);
});
