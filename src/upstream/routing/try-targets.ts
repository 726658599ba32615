import { isOwnError, Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { waitingSignal } from '../../edge/http/waiting-signal.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import { isLacking, isUpstreamFailure, type UpstreamFailure } from '../calling/upstream-failure.ts';
import { isTakenOn } from '../capacity/overload-level.ts';
import { affinityKey } from './affinity-key.ts';
import type { CallOrder } from './call-order.ts';
import { callTarget } from './call-target.ts';
import { type Repetition, repetitionWithout } from './repetition.ts';
import type { Routing } from './routing.ts';
import { CHOOSE_AGAIN, keepSlot, type SlotRequest, takeSlot } from './take-slot.ts';
import type { AnswerForm } from './target-health.ts';
import type { Trail } from './trail.ts';

/** Tries one target after the other until one has begun to answer. */
export async function tryTargets<T>(
  exchange: Exchange,
  routing: Routing,
  order: CallOrder<T>,
): Promise<T | Refusal> {
  const { entry, caller, trail, body } = order;
  const { targets } = entry;
  if (!isTakenOn(routing.overload.level, caller.planClass, 'start'))
    return new Refusal('capacity_unavailable', { reason: 'overload' });
  const ended = order.endSignals?.either ?? waitingSignal(exchange);
  const request = slotRequestOf(exchange, order, ended);
  const affinity = targets.length > 1 ? affinityKey(body) : 0;
  const { account, planClass } = caller;
  const delivery: AnswerForm = order.stream ? 'stream' : 'whole';
  const tried: number[] = [];
  let isRetry = false;
  let last: Refusal | undefined;
  let repetition: Repetition | undefined;
  let hasRepeated = false;
  while (!ended.aborted) {
    const now = routing.clock.now();
    const excluded = repetition ? allBut(targets, repetition.index) : tried;
    const question = { targets, tried: excluded, isRetry, affinity, account, planClass, delivery, now };
    const taking = takeSlot(routing, question, request);
    const index =
      taking instanceof Promise ? keepSlot(routing, { question, request, taken: await taking }) : taking;
    if (index === CHOOSE_AGAIN) continue;
    noteWait(exchange, { trail, request, clock: routing.clock });
    if (index instanceof Refusal) return last ?? index;
    const target = targets[index]!;
    let carriage: Carriage | Refusal;
    try {
      const carrying = order.carrier.carriageTo(target, repetition?.without);
      carriage = carrying instanceof Promise ? await carrying : carrying;
    } catch (error) {
      routing.capacity.release(target.provider, account); // a bug in the gateway must not keep the slot
      throw error;
    }
    tried.push(index);
    if (carriage instanceof Refusal) {
      routing.capacity.release(target.provider, account);
      last ??= carriage; // another target may be able to serve it
      if (repetition) break; // the upstream has refused the request, and no other target gets it
      continue;
    }
    const call = trail.begin(target);
    noteCall(exchange, trail);
    const result = await callTarget({ exchange, ended, routing, order, index, carriage, question, call });
    if (!isUpstreamFailure(result)) {
      if (repetition && routing.learned?.isOn) routing.learned.learn(target, repetition.without);
      return result;
    }
    last = refusalToTell(last, result);
    trail.fail(call, result);
    exchange.notes.failures = trail.failures;
    if (result.abandoned) await order.onAbandoned?.(result.abandoned.usage);
    repetition = hasRepeated ? undefined : repetitionWithout(routing, order, { index, carriage, result });
    if (repetition) {
      hasRepeated = true;
      trail.leftOut = repetition.without;
      continue;
    }
    if (result.isFinal) break;
    isRetry = true;
  }
  return last ?? new Refusal('capacity_unavailable');
}

function noteCall({ notes }: Exchange, trail: Trail): void {
  notes.attempts = trail.attempts;
  notes.provider = trail.provider;
  notes.calls = trail.records;
}

/**
 * Returns the refusal that the client gets if no further target answers. A target that failed for the moment
 * may serve a later request, so its failure goes before that of one which lacks something.
 */
const refusalToTell = (last: Refusal | undefined, failure: UpstreamFailure): Refusal =>
  !last || isOwnError(last) || !isLacking(failure) ? failure.refusal : last;

const allBut = (targets: readonly Target[], index: number): number[] =>
  [...targets.keys()].filter((other) => other !== index);

/** Returns the claim to a slot that the request makes at each of its targets. */
function slotRequestOf<T>(
  { snapshot, requestId }: Exchange,
  { caller, body, entry }: CallOrder<T>,
  signal: AbortSignal,
): SlotRequest {
  const { queue_wait_s, free_share } = snapshot.config.limits;
  return {
    requestId,
    keyId: caller.keyId,
    model: entry.model.id,
    account: caller.account,
    planClass: caller.planClass,
    bytes: body.text.length,
    signal,
    maxWaitMs: msOf(queue_wait_s),
    freeShare: free_share,
  };
}

type WaitContext = { trail: Trail; request: SlotRequest; clock: Clock };

/** Adds the wait of this round. All rounds together count against the longest wait. */
function noteWait(
  { notes, headers, snapshot, trace }: Exchange,
  { trail, request, clock }: WaitContext,
): void {
  const waitedMs = request.since === undefined ? 0 : clock.now() - request.since;
  request.since = undefined;
  trail.queueMs += waitedMs;
  notes.queueMs = trail.queueMs;
  if (trace && waitedMs > 0) trace.waited(waitedMs);
  headers[snapshot.names.header.queueMs] = String(Math.round(trail.queueMs));
  request.maxWaitMs = Math.max(0, request.maxWaitMs - waitedMs);
}
