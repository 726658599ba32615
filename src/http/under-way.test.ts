import { expect, test } from 'bun:test';
import { Refusal } from '../errors/refusal.ts';
import { ArrivalClock } from './arrival-clock.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';
import { UnderWay } from './under-way.ts';

const never = new Promise<never>(() => {});
const exchange = () => ({}) as Exchange;
const codeOf = (answer: Reply | Refusal) => (answer instanceof Refusal ? answer.code : answer.status);

test('what is under way when the server stops is told so, and what comes after it', async () => {
  const underWay = new UnderWay();
  const open = underWay.answerOf(exchange(), never);
  underWay.stop();
  expect(codeOf(await open)).toBe('capacity_unavailable');
  expect(codeOf(await underWay.answerOf(exchange(), never))).toBe('capacity_unavailable');
});

test('the answer of a handler is the answer, and so is what it throws', async () => {
  const underWay = new UnderWay();
  expect(codeOf(await underWay.answerOf(exchange(), Promise.resolve({ status: 201, body: null })))).toBe(201);
  const thrown = underWay.answerOf(exchange(), Promise.reject(new Error('a bug')));
  expect(thrown).rejects.toThrow('a bug');
});

test('a small body that does not come ends its exchange, and is not taken when it comes after all', async () => {
  const clock = new ArrivalClock(60_000);
  const late = exchange();
  const body = Promise.withResolvers<string>();
  const read = clock.withinTime(late, body.promise);
  const answer = new UnderWay().answerOf(late, never);
  clock.sweep(performance.now() + 61_000);
  expect(codeOf(await answer)).toBe('invalid_request');
  body.resolve('{}');
  expect(await read).toBeInstanceOf(Refusal);
});

test('a body that came in time is left alone', async () => {
  const clock = new ArrivalClock(60_000);
  const read = clock.withinTime(
    { interrupt: () => expect.unreachable() } as unknown as Exchange,
    Promise.resolve('{}'),
  );
  expect(await read).toBe('{}');
  clock.sweep(performance.now() + 61_000);
});
