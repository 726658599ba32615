import { expect, test } from 'bun:test';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { servedOn } from './wire-filter.ts';

test('a filter keeps the models that are served on that wire', () => {
  const entry = { nativeWires: ['openai-chat'] } as unknown as CatalogEntry;
  expect(servedOn(null)(entry)).toBe(true);
  expect(servedOn('openai')(entry)).toBe(true);
  expect(servedOn('anthropic')(entry)).toBe(false);
});
