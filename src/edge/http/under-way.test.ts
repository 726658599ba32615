import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from './reply.ts';
import { sampleExchange } from './testing/sample-exchange.ts';
import { UnderWay } from './under-way.ts';

const never = new Promise<never>(() => {});
const opened = (startedAtMs = 0) => sampleExchange({ startedAtMs });
const codeOf = (answer: Reply | Refusal) => (answer instanceof Refusal ? answer.code : answer.status);

test('notifies open exchanges and later ones that the server is stopping', async () => {
  const underWay = new UnderWay();
  const open = underWay.answerOf(opened(), never, codeOf);
  underWay.stop();
  expect(await open).toBe('capacity_unavailable');
  expect(await underWay.answerOf(opened(), never, codeOf)).toBe('capacity_unavailable');
});

test('reports an error that a handler throws without sending its text', async () => {
  const underWay = new UnderWay();
  const answered = underWay.answerOf(opened(), Promise.resolve({ status: 201, body: null }), codeOf);
  expect(await answered).toBe(201);
  const reported: unknown[] = [];
  const exchange = sampleExchange({ reportFailure: (error) => void reported.push(error) });
  const failed = underWay.answerOf(exchange, Promise.reject(new Error('a bug')), codeOf);
  expect({ failed: await failed, reported: reported.map(String) }).toEqual({
    failed: 'internal_error',
    reported: ['Error: a bug'],
  });
});

test('an answer that cannot become a response fails without affecting others', async () => {
  const made = new UnderWay().answerOf(opened(), Promise.resolve({ status: 200, body: null }), () => {
    throw new Error('no response');
  });
  await expect(made).rejects.toThrow('no response');
});

test('drops the answer for an exchange that ended because its body did not arrive', async () => {
  const underWay = new UnderWay();
  const late = opened(1_000);
  const work = Promise.withResolvers<Reply>();
  const answers: unknown[] = [];
  const answer = underWay.answerOf(late, work.promise, (made) => answers.push(codeOf(made)));
  late.awaitsBody = true;
  underWay.endLate(999);
  expect(late.awaitsBody).toBe(true);
  underWay.endLate(1_000);
  await answer;
  work.resolve({ status: 200, body: null });
  await work.promise;
  expect({ awaitsBody: late.awaitsBody, answers }).toEqual({
    awaitsBody: false,
    answers: ['request_timeout'],
  });
});

test('leaves an exchange alone whose body arrived in time', async () => {
  const underWay = new UnderWay();
  const work = Promise.withResolvers<Reply>();
  const answer = underWay.answerOf(opened(1_000), work.promise, codeOf);
  underWay.endLate(100_000);
  work.resolve({ status: 200, body: null });
  expect(await answer).toBe(200);
});

test('counts an exchange as open until its answer is written', async () => {
  const underWay = new UnderWay();
  const asked = opened();
  const written = opened();
  const work = Promise.withResolvers<Reply>();
  const answer = underWay.answerOf(asked, work.promise, codeOf);
  const sent = underWay.sending(written);
  expect([...underWay.open()]).toEqual([asked, written]);
  work.resolve({ status: 200, body: null });
  await answer;
  sent();
  expect([...underWay.open()]).toEqual([]);
});
