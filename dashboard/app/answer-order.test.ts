import { expect, test } from 'bun:test';
import { AnswerOrder } from './answer-order.ts';

test('a late answer does not replace that to a later question', () => {
  const order = new AnswerOrder();
  const slow = order.ask();
  const quick = order.ask();
  expect([order.accepts(quick), order.isAsking, order.accepts(slow)]).toEqual([true, false, false]);
});

test('answers that take longer than the time between questions are accepted in turn', () => {
  const order = new AnswerOrder();
  const first = order.ask();
  const second = order.ask();
  expect([order.accepts(first), order.isAsking, order.accepts(second), order.isAsking]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('no answer is accepted after the page has left its path', () => {
  const order = new AnswerOrder();
  const before = order.ask();
  order.drop();
  const later = order.ask();
  expect([order.accepts(before), order.accepts(later)]).toEqual([false, true]);
});
