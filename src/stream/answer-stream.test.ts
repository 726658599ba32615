import { expect, test } from 'bun:test';
import type { HttpAnswer } from '../upstream-http/http-answer.ts';
import { AnswerStream } from './answer-stream.ts';
import { SseSplitter } from './sse-splitter.ts';

test('an answer without an end is broken off, since what is kept of it is kept whole', async () => {
  const frame = new TextEncoder().encode('data: {}\n\n');
  const answer: HttpAnswer = {
    status: 200,
    get: () => null,
    read: () => frame,
    readText: () => ({ text: '', isCut: false }),
    cancel: () => {},
  };
  const stream = new AnswerStream({
    answer,
    splitter: new SseSplitter(),
    read: () => ({ text: 'x', begins: true, closes: false, saidLength: 16 * 1024 * 1024 }),
    closingFrame: undefined,
  });
  expect(await stream.begin()).toBeUndefined();
  let pieces = 0;
  for (let text = await stream.next(); text !== undefined; text = await stream.next()) pieces++;
  expect(pieces).toBe(4);
  expect([stream.isWhole, stream.failure?.refusal.code]).toEqual([false, 'upstream_unavailable']);
});
