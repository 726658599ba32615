import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { AnswerOrder } from './answer-order.ts';
import { joinParts } from './join-parts.ts';
import { PartUsage } from './part-usage.ts';
import type { Parts } from './parts.ts';
import { streamParts } from './stream-parts.ts';

/** Failures that the separate parts would meet again. */
const HOPELESS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['context_length_exceeded', 'content_filter']);
/** Failures under load. Several more requests to the same targets would add to the load. */
const UNDER_LOAD: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'upstream_overloaded',
  'upstream_timeout',
  'capacity_unavailable',
]);

/**
 * Answers a request for several answers. A target of the client's own protocol gets the request whole. Otherwise each answer is a
 * request of its own, and all run in parallel. Hosts of one protocol differ in whether they support several answers, so a refusal of the
 * whole request is not final.
 */
export async function answerSeveral(
  order: AnswerOrder,
  asWhole: () => Promise<Reply | Refusal>,
): Promise<Reply | Refusal> {
  const whole = await asWhole();
  if (!(whole instanceof Refusal) || !mayBeSplit(order, whole)) return whole;
  const several = order.dialect.codec?.several;
  const requests = several?.split(order.request.body);
  if (!several || !requests) return whole;
  if (requests instanceof Refusal) return whole.code === 'route_not_qualified' ? requests : whole;
  const controller = new AbortController();
  const parts: Parts = {
    order,
    several,
    requests,
    usages: requests.map((request) => new PartUsage(order.estimate.ofPart(request))),
    createdAt: Math.floor(Date.now() / 1_000),
    ends: {
      either: AbortSignal.any([order.exchange.request.signal, controller.signal]),
      calledOff: controller.signal,
    },
    callOff: () => controller.abort(),
  };
  return order.request.stream ? streamParts(parts) : joinParts(parts);
}

function mayBeSplit({ exchange, entry, dialect }: AnswerOrder, { code }: Refusal): boolean {
  if (exchange.request.signal.aborted || HOPELESS.has(code)) return false;
  return !UNDER_LOAD.has(code) || entry.targets.some(({ wires }) => !wires.includes(dialect.wire));
}
