import type { Refusal } from '../../base/errors/refusal.ts';
import type { MaybeLater } from '../../base/lib/after.ts';
import type { DialectCodec } from '../../translation/contract/codec.ts';
import type { Carriage } from '../../translation/contract/dialect.ts';
import type { OpenCall } from '../../upstream/calling/provider-activity.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import type { HttpAnswer } from '../../upstream/http-client/http-answer.ts';
import { tryTargets } from '../../upstream/routing/try-targets.ts';
import { carriagesOf } from '../stream/carriages.ts';
import type { Parts } from './parts.ts';

/** The number of parts of one request that run at a time. */
export const AT_A_TIME = 16;

export type Received = { carriage: Carriage; answer: HttpAnswer; attempt: OpenCall };

/** Requests one of the answers from the model's targets in turn, like any other request. */
export function askPart<T>(
  parts: Parts,
  index: number,
  receive: (received: Received) => MaybeLater<T | UpstreamFailure>,
): Promise<T | Refusal> {
  const { order, several, requests, usages, createdAt, ends } = parts;
  const { exchange, dialect, request, entry, id, wires, caller, trail, routing } = order;
  const usage = usages[index]!;
  const codec: DialectCodec = {
    ...dialect.codec!,
    streamEncoder: (head) => several.choiceEncoder(head, index),
  };
  const carrying = carriagesOf({
    turns: order.turns,
    learned: routing.learned,
    exchange,
    dialect: { ...dialect, codec },
    request: { ...request, canonical: requests[index]! },
    entry,
    id,
    wires,
    createdAt,
    estimate: usage.estimate,
    only: 'translated',
  });
  return tryTargets(exchange, routing, {
    entry,
    caller,
    trail,
    isPart: true,
    body: request.body,
    stream: request.stream,
    reader: order.pace,
    ends,
    ...carrying,
    receive: (carriage, answer, attempt) => receive({ carriage, answer, attempt }),
    ...(order.isAttended && {
      abandoned: (reported) => usage.abandon(reported),
      left: () => order.watch.left(),
    }),
  });
}
