import { expect, test } from 'bun:test';
import { sampleEntry } from '../../settings/catalog/testing/sample-entry.ts';
import { matchesWire } from './wire-filter.ts';

test('a filter keeps the models that are served on that wire', () => {
  const entry = sampleEntry({ nativeWires: ['openai-chat'] });
  expect(matchesWire(entry, null)).toBe(true);
  expect(matchesWire(entry, 'openai')).toBe(true);
  expect(matchesWire(entry, 'anthropic')).toBe(false);
});
