import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { noteTags } from './note-tags.ts';

const exchangeWith = (tags: string): Exchange =>
  ({
    request: new Request('http://tags.invalid/', {
      headers: { 'x-tags': Buffer.from(tags, 'utf8').toString('latin1') },
    }),
    snapshot: { names: { header: { tags: 'x-tags' } } },
    notes: {},
  }) as unknown as Exchange;

test('a tag has at most 64 characters in any script', () => {
  const longest = '標'.repeat(64);
  const exchange = exchangeWith(`${longest}, team`);
  expect(noteTags(exchange, null)).toBeUndefined();
  expect(exchange.notes.tags).toEqual([longest, 'team']);
  expect(noteTags(exchangeWith(`${longest}x`), null)).toBeInstanceOf(Refusal);
});
