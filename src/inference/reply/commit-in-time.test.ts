import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { knownBody } from '../../base/json/json-body.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { asWritten } from '../../edge/http/as-written.ts';
import { ReaderGone } from '../../edge/http/reader-gone.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { sampleInference } from '../request/testing/sample-inference.ts';
import type { Tab } from '../settlement/tab.ts';
import { OpenAnswers } from '../stream/open-answers.ts';
import { commitInTime } from './commit-in-time.ts';

function inferenceWith(close: () => Promise<void>) {
  const snapshot = sampleSnapshot('limits: { stream_commit_s: 0.001, keep_alive_s: 60 }');
  const open = new OpenAnswers();
  const inference = sampleInference({
    exchange: sampleExchange({ snapshot }),
    request: { model: 'm', stream: true, body: knownBody('{}', {}) },
    services: { open },
    estimate: partial({}),
    tab: partial<Tab>({ close }),
  });
  return { inference, open };
}

test('a late failure of a stream is sent only when the place of its request is free', async () => {
  const steps: string[] = [];
  const { inference } = inferenceWith(async () => {
    await Bun.sleep(0);
    steps.push('free');
  });
  const work = Promise.withResolvers<Refusal>();
  const reply = await commitInTime(work.promise, inference);
  if (reply instanceof Refusal) throw new Error('The head of the stream was not sent.');
  const sent = asWritten(reply.body)!({
    write(piece) {
      if (String(piece).includes('upstream_unavailable')) steps.push('sent');
      return undefined;
    },
  });
  work.resolve(new Refusal('upstream_unavailable'));
  await sent;
  expect(steps).toEqual(['free', 'sent']);
});

test('an answer that begins after its stream was interrupted ends as if its client had left', async () => {
  const { inference, open } = inferenceWith(async () => {});
  const work = Promise.withResolvers<Reply>();
  const reply = await commitInTime(work.promise, inference);
  if (reply instanceof Refusal) throw new Error('The head of the stream was not sent.');
  const sent = asWritten(reply.body)!({ write: () => undefined });
  open.interruptOpen();
  await sent;
  const ended = Promise.withResolvers<unknown>();
  work.resolve({
    status: 200,
    async body(writer) {
      try {
        await writer.write('late');
      } catch (error) {
        ended.resolve(error);
      }
    },
  });
  expect(await ended.promise).toBeInstanceOf(ReaderGone);
});
