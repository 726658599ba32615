import { expect, test } from 'bun:test';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { matchesWire } from './wire-filter.ts';

test('a filter keeps the models that are served on that wire', () => {
  const entry = { nativeWires: ['openai-chat'] } as unknown as CatalogEntry;
  expect(matchesWire(entry, null)).toBe(true);
  expect(matchesWire(entry, 'openai')).toBe(true);
  expect(matchesWire(entry, 'anthropic')).toBe(false);
});
