import { expect, test } from 'bun:test';
import { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import { unknownTypeNoter } from './unknown-type-noter.ts';

test('an answer notes at most eight unknown types, each once under a shortened name', () => {
  const exchange = { notes: new ExchangeNotes() };
  const note = unknownTypeNoter(exchange);
  note('event hologram');
  note('event hologram');
  expect(exchange.notes.unknownTypes).toEqual(['event hologram']);
  for (let index = 0; index < 20; index++) note(`event ${index}${'x'.repeat(200)}`);
  expect(exchange.notes.unknownTypes).toHaveLength(8);
  expect(exchange.notes.unknownTypes?.every((name) => name.length <= 80)).toBe(true);
});
