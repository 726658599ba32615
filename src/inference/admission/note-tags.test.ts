import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { noteTags } from './note-tags.ts';

const exchangeWith = (tags: string) =>
  sampleExchange({
    request: new Request('http://tags.invalid/', {
      headers: { 'x-svc-tags': Buffer.from(tags, 'utf8').toString('latin1') },
    }),
  });

test('a tag has at most 64 characters in any script', () => {
  const longest = '標'.repeat(64);
  const exchange = exchangeWith(`${longest}, team`);
  expect(noteTags(exchange, null)).toBeUndefined();
  expect(exchange.notes.tags).toEqual([longest, 'team']);
  expect(noteTags(exchangeWith(`${longest}x`), null)).toBeInstanceOf(Refusal);
});
