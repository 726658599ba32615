import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { asWritten } from '../../edge/http/as-written.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { createChatDialect } from '../../translation/protocols/chat-completions/create-chat-dialect.ts';
import type { Inference } from '../request/inference.ts';
import { OpenAnswers } from '../stream/open-answers.ts';
import { commitInTime } from './commit-in-time.ts';

test('a late failure of a stream is sent only when the place of its request is free', async () => {
  const steps: string[] = [];
  const limits = { stream_commit_s: 0.001, keep_alive_s: 60 };
  const exchange = { snapshot: { config: { limits } }, notes: {}, style: 'openai', reportFailure() {} };
  const inference = {
    exchange: exchange as unknown as Exchange,
    dialect: createChatDialect(),
    request: { model: 'm', stream: true, body: { value: {} } } as InferenceRequest,
    id: 'id',
    services: { open: new OpenAnswers() },
    estimate: {},
    tab: {
      async close() {
        await Bun.sleep(0);
        steps.push('free');
      },
    },
  } as unknown as Inference;
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
