import type { Refusal } from '../../base/errors/refusal.ts';
import type { MaybeLater } from '../../base/lib/after.ts';
import type { DialectCodec } from '../../translation/contract/codec.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import type { CallOrder } from '../../upstream/routing/call-order.ts';
import { tryTargets } from '../../upstream/routing/try-targets.ts';
import type { CarriedRequest } from '../carriage/carried-request.ts';
import { Carrier } from '../carriage/carrier.ts';
import type { BegunAnswer } from '../reply/begun-answer.ts';
import type { SplitRequest } from './split-request.ts';

/** The number of parts of one request that run at a time. */
export const AT_A_TIME = 16;

/** Requests one of the answers from the model's targets in turn, like any other request. */
export function askPart<T>(
  split: SplitRequest,
  index: number,
  receive: (begun: BegunAnswer) => MaybeLater<T | UpstreamFailure>,
): Promise<T | Refusal> {
  const { inference, several, requests, usages, createdAt, ends } = split;
  const { exchange, dialect, request, entry, id, services, learned, unattended } = inference;
  const usage = usages[index]!;
  const codec: DialectCodec = {
    ...dialect.codec!,
    streamEncoder: (head) => several.choiceEncoder(head, index),
  };
  const part: CarriedRequest = {
    exchange,
    dialect: { ...dialect, codec },
    request: { ...request, canonical: requests[index]! },
    entry,
    id,
    estimate: usage.estimate,
    services,
    vendorIds: undefined,
    learned,
  };
  const order: CallOrder<T> = {
    entry,
    caller: inference.caller,
    trail: inference.trail,
    isPart: true,
    body: request.body,
    stream: request.stream,
    reader: inference.pace,
    ends,
    carrier: new Carrier(part, { createdAt, only: 'translated' }),
    receive: (carriage, answer, attempt) => receive({ inference, carriage, answer, attempt }),
  };
  if (!unattended) {
    order.abandoned = (reported) => usage.abandon(reported);
    order.left = () => inference.tab.onClientLeft();
  }
  return tryTargets(exchange, services.routing, order);
}
