import { isOwnError, Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { MEGABYTE, msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { bookingOf } from '../../edge/http/hold-memory.ts';
import { waitingSignal } from '../../edge/http/waiting-signal.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { COMPACTION } from '../../translation/canonical/refused-word.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import { refusedMember } from '../calling/refused-member.ts';
import {
  isLacking,
  lackingEndpoint,
  lacksEndpoint,
  type UpstreamFailure,
} from '../calling/upstream-failure.ts';
import { isTakenOn } from '../capacity/overload.ts';
import { affinityKey } from './affinity-key.ts';
import type { CallOrder } from './call-order.ts';
import type { Routing } from './routing.ts';
import { CHOOSE_AGAIN, keepSlot, type Request, takeSlot } from './take-slot.ts';
import type { Question } from './target-chooser.ts';
import type { AnswerForm } from './target-health.ts';
import type { Trail, TrailCall } from './trail.ts';
import { WatchedCall } from './watched-call.ts';

/**
 * The memory for a whole answer, from its bytes to the translation that is sent, in multiples of its size.
 * 9.5 was measured for 60 MB.
 */
const ANSWER_COPIES = 10;

const isFailure = (result: unknown): result is UpstreamFailure =>
  typeof result === 'object' && result !== null && 'isFinal' in result;

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
  const request = requestOf(exchange, order, ended);
  const affinity = targets.length > 1 ? affinityKey(body) : 0;
  const { account, planClass } = caller;
  const delivery: AnswerForm = order.stream ? 'stream' : 'whole';
  const tried: number[] = [];
  let isRetry = false;
  let last: Refusal | undefined;
  let again: Again | undefined;
  let hasLeftOut = false;
  while (!ended.aborted) {
    const now = routing.clock.now();
    const excluded = again ? allBut(targets, again.index) : tried;
    const question = { targets, tried: excluded, isRetry, affinity, account, planClass, delivery, now };
    const taking = takeSlot(routing, question, request);
    const index =
      taking instanceof Promise ? keepSlot(routing, { question, request, taken: await taking }) : taking;
    if (index === CHOOSE_AGAIN) continue;
    noteWait(exchange, { trail, request, clock: routing.clock });
    if (index instanceof Refusal) return last ?? index;
    const target = targets[index]!;
    const carrying = order.carrier.carriageTo(target, again?.without);
    const carriage = carrying instanceof Promise ? await carrying : carrying;
    tried.push(index);
    if (carriage instanceof Refusal) {
      routing.capacity.release(target.provider, account);
      last ??= carriage; // another target may be able to serve it
      if (again) break; // the upstream has refused the request, and no other target gets it
      continue;
    }
    const call = trail.begin(target);
    exchange.notes.attempts = trail.attempts;
    exchange.notes.provider = trail.provider;
    exchange.notes.calls = trail.records;
    const result = await attemptOne({ exchange, ended, routing, order, index, carriage, question, call });
    if (!isFailure(result)) {
      if (again && routing.learned?.isOn) routing.learned.learn(target, again.without);
      return result;
    }
    // A target that failed for the moment may serve a later request.
    if (!last || isOwnError(last) || !isLacking(result)) last = result.refusal;
    trail.fail(call, result);
    exchange.notes.failures = trail.failures;
    if (result.forsaken) await order.onAbandoned?.(result.forsaken.usage);
    again = hasLeftOut ? undefined : withoutRefused(routing, order, { index, carriage, result });
    if (again) {
      hasLeftOut = true;
      trail.leftOut = again.without;
      continue;
    }
    if (result.isFinal) break;
    isRetry = true;
  }
  return last ?? new Refusal('capacity_unavailable');
}

/** A target that is called once more, without members that it has refused. */
type Again = { index: number; without: string };

const allBut = (targets: readonly Target[], index: number): number[] =>
  [...targets.keys()].filter((other) => other !== index);

function withoutRefused<T>(
  { learned }: Routing,
  { carrier, trail, isPart }: CallOrder<T>,
  { index, carriage, result }: { index: number; carriage: Carriage; result: UpstreamFailure },
): Again | undefined {
  if (carriage.mayBeAbsent && lacksEndpoint(result)) return { index, without: COMPACTION };
  if (!learned?.isOn || !result.error || (trail.leftOut !== undefined && !isPart)) return undefined;
  const word = refusedMember(result.error);
  const without = word && carrier.droppableWord(word);
  if (!without || (trail.leftOut ?? without) !== without) return undefined;
  return { index, without };
}

function requestOf<T>(
  { snapshot, requestId }: Exchange,
  { caller, body, entry }: CallOrder<T>,
  signal: AbortSignal,
): Request {
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

type Waited = { trail: Trail; request: Request; clock: Clock };

/** Adds the wait of this round. All rounds together count against the longest wait. */
function noteWait({ notes, headers, snapshot, trace }: Exchange, { trail, request, clock }: Waited): void {
  const waitedMs = request.since === undefined ? 0 : clock.now() - request.since;
  request.since = undefined;
  trail.queueMs += waitedMs;
  notes.queueMs = trail.queueMs;
  if (trace && waitedMs > 0) trace.waited(waitedMs);
  headers[snapshot.names.header.queueMs] = String(Math.round(trail.queueMs));
  request.maxWaitMs = Math.max(0, request.maxWaitMs - waitedMs);
}

type OneAttempt<T> = {
  exchange: Exchange;
  ended: AbortSignal;
  routing: Routing;
  order: CallOrder<T>;
  index: number;
  carriage: Carriage;
  question: Question;
  call: TrailCall;
};

async function attemptOne<T>(attempted: OneAttempt<T>): Promise<T | UpstreamFailure> {
  const { exchange, ended, routing, order, index, carriage, call } = attempted;
  const { targets } = order.entry;
  const target = targets[index]!;
  const health = routing.healthOf(targets, index);
  const watched = new WatchedCall({
    routing,
    health,
    question: attempted.question,
    attempt: {
      record: call.record,
      target,
      model: order.entry.model.id,
      body: order.body.value,
      isOwnProtocol: carriage.isOwnProtocol,
      providers: exchange.snapshot.providers,
    },
  });
  const attempt = routing.activity.begin(target.provider.id, watched);
  const span = exchange.trace?.attempt(target.provider, target.upstreamModel);
  attempt.span = span;
  try {
    const answer = await routing.upstream.call({
      target,
      wire: carriage.wire,
      path: carriage.path,
      body: carriage.body,
      streamed: carriage.streamed,
      stream: order.stream,
      answerForm: carriage.answerForm,
      takesWholeAnswers: carriage.takesWholeAnswers,
      trace: span,
      client: waitingSignal(exchange),
      reader: order.reader,
      graceMs: order.onAbandoned ? msOf(exchange.snapshot.config.limits.usage_grace_s) : 0,
      onClientLeft: order.onClientLeft,
      calledOff: order.endSignals?.calledOff,
      clientHeaders: carriage.isOwnProtocol ? exchange.request.headers : undefined,
      headerEdits: carriage.headerEdits,
      maxBytes: exchange.snapshot.config.limits.max_answer_mb * MEGABYTE,
      reserveMemory: (bytes) => bookingOf(exchange, routing.memory).grow(bytes * ANSWER_COPIES),
    });
    carriage.body = ''; // its body is read, and is as long as the request
    if (!isFailure(answer)) call.record.status = answer.status;
    const failed = isFailure(answer) ? answer : await order.receive(carriage, answer, attempt);
    if (!isFailure(failed)) return failed;
    const result = attempt.failed(
      carriage.mayBeAbsent && lacksEndpoint(failed) ? lackingEndpoint(failed) : failed,
    );
    span?.failed(result.refusal.code, result.reason, result.status);
    const { retryAfterMs } = result.refusal.details;
    if (!result.isFinal && retryAfterMs !== undefined) health.coolDown(retryAfterMs, routing.clock.now());
    const outcome = result.isFinal ? 'ok' : result.outcome;
    attempt.end(ended.aborted ? 'canceled' : outcome);
    return result;
  } catch (error) {
    attempt.end('error'); // a bug in the gateway must not keep the slot
    throw error;
  }
}
