import { MEGABYTE, msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { bookingOf } from '../../edge/http/hold-memory.ts';
import { waitingSignal } from '../../edge/http/waiting-signal.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import { missingEndpointFailure } from '../calling/failures.ts';
import type { UpstreamCall } from '../calling/upstream-call.ts';
import { isUpstreamFailure, lacksEndpoint, type UpstreamFailure } from '../calling/upstream-failure.ts';
import type { CallOrder } from './call-order.ts';
import type { Routing } from './routing.ts';
import type { TargetQuestion } from './target-chooser.ts';
import type { TargetHealth } from './target-health.ts';
import type { TrailCall } from './trail.ts';
import { WatchedCall } from './watched-call.ts';

/**
 * The memory for a whole answer, from its bytes to the translation that is sent, in multiples of its size.
 * 9.5 was measured for 60 MB.
 */
const ANSWER_COPIES = 10;

/** One attempt of a request at a target, whose slot is taken. */
export type TargetCall<T> = {
  exchange: Exchange;
  ended: AbortSignal;
  routing: Routing;
  order: CallOrder<T>;
  index: number;
  carriage: Carriage;
  question: TargetQuestion;
  call: TrailCall;
};

/** Calls a target, and returns its answer once it has validly begun. The end of the call returns the slot. */
export async function callTarget<T>(targetCall: TargetCall<T>): Promise<T | UpstreamFailure> {
  const { exchange, ended, routing, order, index, carriage, call } = targetCall;
  const { targets } = order.entry;
  const target = targets[index]!; // it was chosen among them
  const health = routing.healthOf(targets, index);
  const attempt = routing.activity.begin(target.provider.id, watchedCall(targetCall, target, health));
  const span = exchange.trace?.attempt(target.provider, target.upstreamModel);
  attempt.span = span;
  try {
    const answer = await routing.upstream.call(upstreamCall(targetCall, target, span));
    carriage.body = ''; // its body is read, and is as long as the request
    if (!isUpstreamFailure(answer)) call.record.status = answer.status;
    const result = isUpstreamFailure(answer) ? answer : await order.receive(carriage, answer, attempt);
    if (!isUpstreamFailure(result)) return result;
    const failure = attempt.failed(
      carriage.mayBeAbsent && lacksEndpoint(result) ? missingEndpointFailure(result) : result,
    );
    span?.failed(failure.refusal.code, failure.reason, failure.status);
    const { retryAfterMs } = failure.refusal.details;
    if (!failure.isFinal && retryAfterMs !== undefined)
      health.circuit.coolDown(retryAfterMs, routing.clock.now());
    const outcome = failure.isFinal ? 'ok' : failure.outcome;
    attempt.end(ended.aborted ? 'canceled' : outcome);
    return failure;
  } catch (error) {
    attempt.end('error'); // a bug in the gateway must not keep the slot
    throw error;
  }
}

const watchedCall = <T>(
  { exchange, routing, order, carriage, question, call }: TargetCall<T>,
  target: Target,
  health: TargetHealth,
): WatchedCall =>
  new WatchedCall({
    routing,
    health,
    question,
    attempt: {
      record: call.record,
      target,
      model: order.entry.model.id,
      body: order.body.value,
      isOwnProtocol: carriage.isOwnProtocol,
      providers: exchange.snapshot.providers,
    },
  });

const upstreamCall = <T>(
  { exchange, routing, order, carriage }: TargetCall<T>,
  target: Target,
  trace: UpstreamCall['trace'],
): UpstreamCall => ({
  target,
  wire: carriage.wire,
  path: carriage.path,
  body: carriage.body,
  streamed: carriage.streamed,
  stream: order.stream,
  answerForm: carriage.answerForm,
  takesWholeAnswers: carriage.takesWholeAnswers,
  trace,
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
