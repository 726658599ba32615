import type { Refusal } from '../../base/errors/refusal.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { DialectCodec } from '../../translation/contract/dialect-codec.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import type { CallOrder } from '../../upstream/routing/call-order.ts';
import { tryTargets } from '../../upstream/routing/try-targets.ts';
import type { CarriedRequest } from '../carriage/carried-request.ts';
import { Carrier } from '../carriage/carrier.ts';
import type { BegunAnswer } from '../reply/begun-answer.ts';
import type { RequestPart, SplitRequest } from './split-request.ts';

/** The number of parts of one request that run at a time. */
export const MAX_OPEN_PARTS = 16;

/** Requests one of the answers from the model's targets in turn, like any other request. */
export function askPart<T>(
  split: SplitRequest,
  part: RequestPart,
  receive: (begun: BegunAnswer) => MaybeLater<T | UpstreamFailure>,
): Promise<T | Refusal> {
  const { inference, createdAt, endSignals } = split;
  const { exchange, request, services, tab, unattended } = inference;
  const order: CallOrder<T> = {
    entry: inference.entry,
    caller: inference.caller,
    trail: inference.trail,
    isPart: true,
    body: request.body,
    stream: request.stream,
    reader: inference.pace,
    endSignals,
    carrier: new Carrier(carriedPart(split, part), { createdAt, only: 'translated' }),
    receive: (carriage, answer, attempt) => receive({ inference, carriage, answer, attempt }),
    ...(!unattended && {
      onAbandoned: (reported) => part.usage.abandon(reported),
      onClientLeft: () => tab.onClientLeft(),
    }),
  };
  return tryTargets(exchange, services.routing, order);
}

/** Returns the request for one part, whose codec gives the answer its place among the others. */
function carriedPart(
  { inference, codec: wholeCodec, severalAnswers }: SplitRequest,
  { index, request: canonical, usage }: RequestPart,
): CarriedRequest {
  const { exchange, dialect, request, entry, id, services, learned } = inference;
  const codec: DialectCodec = {
    ...wholeCodec,
    streamEncoder: (head) => severalAnswers.choiceEncoder(head, index),
  };
  return {
    exchange,
    dialect: { ...dialect, codec },
    request: { ...request, canonical },
    entry,
    id,
    estimate: usage.estimate,
    services,
    vendorIds: undefined,
    learned,
  };
}
