import { expect, test } from 'bun:test';
import { CountedText } from '../../translation/canonical/counted-text.ts';
import { SseSplitter } from '../../translation/framing/sse-splitter.ts';
import type { HttpAnswer } from '../../upstream/http-client/http-answer.ts';
import { AnswerStream } from './answer-stream.ts';

test('ends a stored answer at the size limit, since it is held in memory', async () => {
  const frame = new TextEncoder().encode('data: {}\n\n');
  const answer: HttpAnswer = {
    status: 200,
    get: () => null,
    read: () => frame,
    readText: () => ({ text: '', isCut: false }),
    readWhole: () => ({ text: '', isCut: false }),
    cancel: () => {},
    maxBytes: 64 * 1024 * 1024,
  };
  const answerText = new CountedText({ text: () => 1 });
  const text = 'x'.repeat(16 * 1024 * 1024);
  const read = () => {
    answerText.add(text);
    return { text: 'x', begins: true, closes: false };
  };
  const stream = new AnswerStream({
    answer,
    splitter: new SseSplitter(),
    reader: { read, answerText },
    closingFrame: undefined,
  });
  expect(await stream.begin()).toBeUndefined();
  let pieces = 0;
  for (let text = await stream.next(); text !== undefined; text = await stream.next()) pieces++;
  expect(pieces).toBe(4);
  expect(stream).toMatchObject({ isWhole: false, failure: { refusal: { code: 'upstream_unavailable' } } });
});

test('gives other work a turn around each large event without changing the order of events', async () => {
  const large = 'x'.repeat(300 * 1024);
  const pieces = [`data: "1"\n\ndata: "${large}"\n\ndata: "2"\n\ndata: "${large}"\n\ndata: "end"\n\n`];
  const answer: HttpAnswer = {
    status: 200,
    get: () => null,
    read: () => {
      const piece = pieces.shift();
      return piece === undefined ? undefined : new TextEncoder().encode(piece);
    },
    readText: () => ({ text: '', isCut: false }),
    readWhole: () => ({ text: '', isCut: false }),
    cancel: () => {},
    maxBytes: 64 * 1024 * 1024,
  };
  let rounds = 0;
  let isOver = false;
  const count = () => {
    rounds++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const roundsAt: number[] = [];
  const read = ({ data }: { data: string }) => {
    roundsAt.push(rounds);
    const isLast = data === '"end"';
    return { text: isLast ? '' : data, begins: true, closes: isLast, ends: isLast };
  };
  const stream = new AnswerStream({
    answer,
    splitter: new SseSplitter(),
    reader: { read, answerText: new CountedText({ text: () => 1 }) },
    closingFrame: undefined,
  });
  expect(await stream.begin()).toBeUndefined();
  const texts: string[] = [];
  for (let text = await stream.next(); text !== undefined; text = await stream.next()) texts.push(text);
  isOver = true;
  expect(texts.map(({ length }) => length)).toEqual([3 + large.length + 2, 3 + large.length + 2]);
  expect(texts.join('') === `"1""${large}""2""${large}"`).toBeTrue();
  expect({ isWhole: stream.isWhole, failure: stream.failure }).toEqual({ isWhole: true, failure: undefined });
  // The second and the fourth event wait for a turn, and so do the third and the last.
  expect(new Set(roundsAt).size).toBe(5);
});
