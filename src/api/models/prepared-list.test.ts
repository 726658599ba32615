import { expect, test } from 'bun:test';
import type { Catalog, CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Viewer } from './model-view.ts';
import { preparedList } from './prepared-list.ts';

const catalog = (...entries: CatalogEntry[]) => ({ entries }) as unknown as Catalog;
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

test('a list whose preparation failed is prepared again', async () => {
  let isBroken = true;
  const entry = {
    model: { delivery: 'exact', pricing: {} },
    nativeWires: [],
    get targets() {
      if (isBroken) throw new Error('the targets are broken');
      return [];
    },
  };
  const models = catalog(entry as unknown as CatalogEntry);
  const failing = preparedList(models, viewer(false), null);
  expect(preparedList(models, viewer(false), null)).toBe(failing);
  await expect(failing).rejects.toThrow('the targets are broken');
  await failing.catch(() => {});
  isBroken = false;
  const prepared = await preparedList(models, viewer(false), null);
  expect(new TextDecoder().decode(prepared.body)).toBe('{"object":"list","data":[]}');
  expect(await preparedList(models, viewer(false), null)).toBe(prepared);
});
