import { expect, test } from 'bun:test';
import { Said } from '../../translation/canonical/said.ts';
import { SseSplitter } from '../../translation/protocols/sse-splitter.ts';
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
    mostBytes: 64 * 1024 * 1024,
  };
  const said = new Said({ text: () => 1 });
  const text = 'x'.repeat(16 * 1024 * 1024);
  const read = () => {
    said.add(text);
    return { text: 'x', begins: true, closes: false };
  };
  const stream = new AnswerStream({
    answer,
    splitter: new SseSplitter(),
    read: Object.assign(read, { said }),
    closingFrame: undefined,
  });
  expect(await stream.begin()).toBeUndefined();
  let pieces = 0;
  for (let text = await stream.next(); text !== undefined; text = await stream.next()) pieces++;
  expect(pieces).toBe(4);
  expect([stream.isWhole, stream.failure?.refusal.code]).toEqual([false, 'upstream_unavailable']);
});
