import { Refusal } from '../../base/errors/refusal.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { isTakenOn } from '../capacity/overload-level.ts';
import type { SlotClaim, WaitOutcome } from '../capacity/slot-claim.ts';
import type { Routing } from './routing.ts';
import { NONE, type TargetQuestion } from './target-chooser.ts';

/** A request's claim to a slot. */
export type SlotRequest = Omit<SlotClaim<Provider>, 'providers' | 'candidates'> & { signal: AbortSignal };

/** The choice of targets has changed while the request was queued. */
export const CHOOSE_AGAIN = 'choose-again';

/** The index of a target whose provider's slot is taken, or the reason why there is none. */
type SlotTaken = number | Refusal | typeof CHOOSE_AGAIN;

const MIN_RETRY_AFTER_MS = 1_000;

/**
 * Takes a slot at once if a target has one, or else queues for one. Refuses the request if it cannot be
 * served.
 */
export function takeSlot(
  routing: Routing,
  question: TargetQuestion,
  request: SlotRequest,
): SlotTaken | Promise<SlotTaken> {
  const { chooser, capacity } = routing;
  const index = chooser.pick(question);
  if (index !== NONE) {
    const { provider } = question.targets[index]!;
    if (isBehindOthers(routing, provider, request))
      return queueFor(routing, { question, awaited: [index], request });
    capacity.tryTake(provider, request.account, request.planClass);
    return index;
  }
  const awaited = chooser.awaited(question);
  if (awaited.length > 0) return waitFor(routing, { question, awaited, request });
  const last = chooser.lastResort(question);
  return last === NONE
    ? pausedRefusal(routing, question)
    : waitFor(routing, { question, awaited: [last], request });
}

/**
 * Reports whether queued requests may go to a free slot but have not chosen again yet. A new request then
 * queues behind them.
 */
const isBehindOthers = ({ capacity, review }: Routing, provider: Provider, { since }: SlotRequest): boolean =>
  since === undefined && review.isOverdue && capacity.mayServeQueued(provider);

/** A request that is to queue for the targets with these indexes. */
type SlotWait = { question: TargetQuestion; awaited: readonly number[]; request: SlotRequest };

/** Takes a slot that is free after all, or queues. */
function waitFor(routing: Routing, wait: SlotWait): SlotTaken | Promise<SlotTaken> {
  const { targets } = wait.question;
  const { account, planClass } = wait.request;
  const freeIndex = wait.awaited.find((index) =>
    routing.capacity.tryTake(targets[index]!.provider, account, planClass),
  );
  return freeIndex ?? queueFor(routing, wait);
}

function queueFor(
  routing: Routing,
  { question, awaited, request }: SlotWait,
): SlotTaken | Promise<SlotTaken> {
  const providers = awaited.map((index) => question.targets[index]!.provider);
  const indexAt = (provider: Provider) => awaited[providers.indexOf(provider)]!;
  if (!isTakenOn(routing.overload.level, request.planClass, 'wait'))
    return new Refusal('capacity_unavailable', { reason: 'overload' });
  const candidates = new Set(question.targets.map(({ provider }) => provider));
  const claim = { ...request, providers: [...new Set(providers)], candidates: [...candidates] };
  request.since ??= routing.clock.now();
  const { since } = request;
  return new Promise((resolve) => {
    const stopListening = () => request.signal.removeEventListener('abort', leave);
    const onOutcome = (outcome: WaitOutcome<Provider>) => {
      stopListening();
      if (outcome.kind === 'changed') return resolve(CHOOSE_AGAIN);
      if (outcome.kind === 'slot') return resolve(indexAt(outcome.provider));
      routing.observeWait(request.planClass, outcome.reason, outcome.waitedMs);
      resolve(new Refusal('capacity_unavailable', { retryAfterMs: outcome.retryAfterMs, reason: 'queue' }));
    };
    const leave = () => {
      waiter?.leave();
      stopListening();
      routing.observeWait(request.planClass, 'left', routing.clock.now() - since);
      resolve(new Refusal('capacity_unavailable')); // the client has left
    };
    const waiter = routing.capacity.join(claim, onOutcome);
    if (!waiter) return;
    if (request.signal.aborted) return leave();
    request.signal.addEventListener('abort', leave);
    routing.timer.arm();
  });
}

type EndedWait = { question: TargetQuestion; request: SlotRequest; taken: SlotTaken };

/**
 * Checks a slot after the wait, since the target may have been drained or begun to fail. Another target is
 * then chosen in the remaining time.
 */
export function keepSlot(routing: Routing, { question, request, taken }: EndedWait): SlotTaken {
  if (typeof taken !== 'number') return taken;
  const now = routing.clock.now();
  if (routing.chooser.stillTakes({ ...question, now }, taken)) {
    routing.observeWait(request.planClass, 'served', now - (request.since ?? now));
    return taken;
  }
  routing.capacity.release(question.targets[taken]!.provider, request.account);
  return CHOOSE_AGAIN;
}

/** Refuses a request when every target is drained, or is paused with the most allowed tries under way. */
function pausedRefusal(routing: Routing, { targets, now }: TargetQuestion): Refusal {
  let shortestMs = Number.POSITIVE_INFINITY;
  for (const [index, { provider }] of targets.entries()) {
    if (routing.activity.isDrained(provider.id)) continue;
    shortestMs = Math.min(shortestMs, routing.healthOf(targets, index).circuit.pauseLeftMs(now));
  }
  if (shortestMs === Number.POSITIVE_INFINITY)
    return new Refusal('capacity_unavailable', { reason: 'drained' });
  return new Refusal('upstream_unavailable', { retryAfterMs: Math.max(MIN_RETRY_AFTER_MS, shortestMs) });
}
