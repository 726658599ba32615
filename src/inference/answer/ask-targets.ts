import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { CountedText } from '../../translation/canonical/counted-text.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { tierInHead } from '../../translation/protocols/google/tier-in-head.ts';
import type { CallOrder } from '../../upstream/routing/call-order.ts';
import { tryTargets } from '../../upstream/routing/try-targets.ts';
import { type CarriageWay, Carrier } from '../carriage/carrier.ts';
import { bytesReply } from '../reply/bytes-reply.ts';
import { settleAnswer } from '../reply/settle-answer.ts';
import { streamReply } from '../reply/stream-reply.ts';
import { unaryReply } from '../reply/unary-reply.ts';
import type { Inference } from '../request/inference.ts';

/** Calls one target of the model after the other until one answers. */
export function askTargets(inference: Inference, way?: CarriageWay): Promise<Reply | Refusal> {
  const { exchange, request, entry, caller, trail, unattended, services, tab } = inference;
  const receive = receiverOf(request);
  const order: CallOrder<Reply> = {
    entry,
    caller,
    trail,
    body: request.body,
    stream: request.stream,
    reader: receive === unaryReply ? undefined : inference.pace,
    carrier: new Carrier(inference, way),
    receive: (carriage, answer, attempt) => {
      inference.servedTier = tierInHead(carriage.wire, answer);
      return receive({ inference, carriage, answer, attempt });
    },
  };
  if (!unattended) {
    order.onAbandoned = (usage) => settleAbandoned(inference, usage);
    order.onClientLeft = () => tab.onClientLeft();
  }
  const asking = tryTargets(exchange, services.routing, order);
  return request.body.form ? releaseUploadAfter(asking, exchange) : asking;
}

function receiverOf({ stream, answerForm }: InferenceRequest) {
  if (stream) return streamReply;
  return answerForm === 'bytes' ? bytesReply : unaryReply;
}

/** Releases the files of a form once a target has answered, since no other target can be tried then. */
async function releaseUploadAfter(
  asking: Promise<Reply | Refusal>,
  exchange: Exchange,
): Promise<Reply | Refusal> {
  const reply = await asking;
  if (!(reply instanceof Refusal)) exchange.upload?.release();
  return reply;
}

/** Settles a request whose upstream has read the prompt, but whose answer came after the client left. */
async function settleAbandoned(inference: Inference, reported: Usage | undefined): Promise<void> {
  const { estimate } = inference;
  const produced = { known: reported, reported, answerText: new CountedText(estimate), isWhole: false };
  await settleAnswer(inference, { usage: await estimate.counted(produced) });
}
