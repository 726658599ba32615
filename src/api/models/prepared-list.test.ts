import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import type { Catalog, CatalogEntry } from '../../settings/catalog/catalog.ts';
import { sampleEntry } from '../../settings/catalog/testing/sample-entry.ts';
import type { Viewer } from './model-view.ts';
import { preparedList } from './prepared-list.ts';

const catalog = (...entries: CatalogEntry[]) => partial<Catalog>({ entries });
const viewer = partial<Viewer>({ payg: false, now: 1_000 });
const paygViewer = partial<Viewer>({ payg: true, now: 1_000 });

test('a list is made once for each catalog and kind of caller', async () => {
  const one = catalog();
  const other = catalog();
  const first = await preparedList(one, viewer, null);
  expect(await preparedList(one, viewer, null)).toBe(first);
  expect(await preparedList(one, paygViewer, null)).not.toBe(first);
  expect(await preparedList(one, viewer, 'openai')).not.toBe(first);
  expect(await preparedList(other, viewer, null)).not.toBe(first);
  expect(new TextDecoder().decode(first.body)).toBe('{"object":"list","data":[]}');
});

test('a list whose preparation failed is prepared again', async () => {
  let isBroken = true;
  const brokenEntry = Object.defineProperty(sampleEntry({ model: { delivery: 'exact' } }), 'targets', {
    get() {
      if (isBroken) throw new Error('the targets are broken');
      return [];
    },
  });
  const models = catalog(brokenEntry);
  const failing = preparedList(models, viewer, null);
  expect(preparedList(models, viewer, null)).toBe(failing);
  await expect(failing).rejects.toThrow('the targets are broken');
  isBroken = false;
  const prepared = await preparedList(models, viewer, null);
  expect(new TextDecoder().decode(prepared.body)).toBe('{"object":"list","data":[]}');
  expect(await preparedList(models, viewer, null)).toBe(prepared);
});
