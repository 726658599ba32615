import { expect, test } from 'bun:test';
import { UpstreamDeadline } from '../providers/upstream-deadline.ts';
import { AnswerStream } from './answer-stream.ts';
import { SseSplitter } from './sse-splitter.ts';

test('an answer without an end is broken off, since what is kept of it is kept whole', async () => {
  const timeouts = { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 };
  const frame = new TextEncoder().encode('data: {}\n\n');
  const stream = new AnswerStream({
    body: new ReadableStream({ pull: (controller) => controller.enqueue(frame) }),
    deadline: new UpstreamDeadline({ timeouts, baseUrl: 'http://127.0.0.1' }, new AbortController().signal),
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
