import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { asWritten } from '../../edge/http/stream-body.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { createChatDialect } from '../../translation/protocols/chat-completions/chat-dialect.ts';
import { commitInTime, type Streaming } from './commit-in-time.ts';
import { OpenAnswers } from './open-answers.ts';

test('a late failure of a stream is told only when the place of its request is free', async () => {
  const steps: string[] = [];
  const limits = { stream_commit_s: 0.001, keep_alive_s: 60 };
  const exchange = { snapshot: { config: { limits } }, notes: {}, style: 'openai', failed() {} };
  const streaming: Streaming = {
    exchange: exchange as unknown as Exchange,
    dialect: createChatDialect(),
    request: { model: 'm', stream: true, body: { value: {} } } as InferenceRequest,
    id: 'id',
    open: new OpenAnswers(),
    estimate: {} as Streaming['estimate'],
    watch: {
      async close() {
        await Bun.sleep(0);
        steps.push('free');
      },
    },
  };
  const work = Promise.withResolvers<Refusal>();
  const reply = await commitInTime(work.promise, streaming);
  if (reply instanceof Refusal) throw new Error('The head of the stream was not sent.');
  const sent = asWritten(reply.body)!({
    write(piece) {
      if (String(piece).includes('upstream_unavailable')) steps.push('told');
      return undefined;
    },
  });
  work.resolve(new Refusal('upstream_unavailable'));
  await sent;
  expect(steps).toEqual(['free', 'told']);
});
