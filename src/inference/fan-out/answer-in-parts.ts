import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { unixSeconds } from '../../base/lib/unix-seconds.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { waitingSignal } from '../../edge/http/waiting-signal.ts';
import type { Inference } from '../request/inference.ts';
import { joinParts } from './join-parts.ts';
import { PartUsage } from './part-usage.ts';
import type { SplitRequest } from './split-request.ts';
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
 * Asks for each of several answers in a request of its own, in parallel, after the targets have refused the
 * whole request. Hosts of one protocol differ in whether they support several answers, so that refusal is not
 * final. It is returned if the request cannot be split.
 */
export async function answerInParts(inference: Inference, refusal: Refusal): Promise<Reply | Refusal> {
  if (!mayBeSplit(inference, refusal)) return refusal;
  const { dialect, request, exchange, estimate } = inference;
  const { codec } = dialect;
  if (!codec?.severalAnswers) return refusal;
  const { severalAnswers } = codec;
  const requests = severalAnswers.split(request.body);
  if (requests instanceof Refusal) return refusal.code === 'route_not_qualified' ? requests : refusal;
  const controller = new AbortController();
  const split: SplitRequest = {
    inference,
    codec,
    severalAnswers,
    parts: requests.map((part, index) => ({
      index,
      request: part,
      usage: new PartUsage(estimate.ofPart(part)),
    })),
    createdAt: unixSeconds(),
    endSignals: {
      either: AbortSignal.any([waitingSignal(exchange), controller.signal]),
      calledOff: controller.signal,
    },
    callOff: () => controller.abort(),
  };
  return request.stream ? streamParts(split) : joinParts(split);
}

function mayBeSplit({ exchange, entry, dialect }: Inference, { code }: Refusal): boolean {
  if (waitingSignal(exchange).aborted || HOPELESS.has(code)) return false;
  return !UNDER_LOAD.has(code) || entry.targets.some(({ wires }) => !wires.includes(dialect.wire));
}
