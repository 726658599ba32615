import type { CatalogEntry } from '../catalog/catalog.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Carriage } from '../protocols/dialect.ts';
import { callUpstream, type UpstreamAnswer } from '../providers/call-upstream.ts';
import type { Attempt, ProviderActivity } from '../providers/provider-activity.ts';
import type { Target } from '../providers/target.ts';
import type { UpstreamFailure } from '../providers/upstream-failure.ts';

/** What is to be sent to a target, and what must come back for it to count as an answer. */
export type Errand<T> = {
  entry: CatalogEntry;
  stream: boolean;
  /** Ends it before its time; the client's leaving unless said. */
  signal?: AbortSignal;
  /** How the request is carried to a target, or why it cannot be. */
  carriageTo(target: Target): Carriage | Refusal;
  /** Reads the answer far enough to know that it is one. */
  receive(carriage: Carriage, answer: UpstreamAnswer, attempt: Attempt): Promise<T | UpstreamFailure>;
};

const isFailure = (result: unknown): result is UpstreamFailure =>
  typeof result === 'object' && result !== null && 'isFinal' in result;

/** Asks one target after the other until one has begun to answer. */
export async function tryTargets<T>(
  exchange: Exchange,
  activity: ProviderActivity,
  errand: Errand<T>,
): Promise<T | Refusal> {
  let last: Refusal | undefined;
  const client = errand.signal ?? exchange.request.signal;
  for (const target of errand.entry.targets) {
    if (activity.isDrained(target.provider.id)) continue;
    const carriage = errand.carriageTo(target);
    if (carriage instanceof Refusal) {
      last ??= carriage; // another target may be able to
      continue;
    }
    exchange.notes.attempts = (exchange.notes.attempts ?? 0) + 1;
    exchange.notes.provider = target.provider.id;
    const clientHeaders = carriage.isOwnProtocol ? exchange.request.headers : undefined;
    const result = await attemptOne({ client, clientHeaders, activity, errand, target, carriage });
    if (!isFailure(result)) return result;
    last = result.refusal;
    if (result.isFinal || client.aborted) break;
  }
  return last ?? new Refusal('capacity_unavailable');
}

type OneAttempt<T> = {
  client: AbortSignal;
  clientHeaders: Headers | undefined;
  activity: ProviderActivity;
  errand: Errand<T>;
  target: Target;
  carriage: Carriage;
};

async function attemptOne<T>({
  client,
  clientHeaders,
  activity,
  errand,
  target,
  carriage,
}: OneAttempt<T>): Promise<T | UpstreamFailure> {
  const attempt = activity.begin(target.provider.id);
  const answer = await callUpstream({
    target,
    wire: carriage.wire,
    path: carriage.path,
    body: carriage.body,
    stream: errand.stream,
    client,
    clientHeaders,
  });
  const result = isFailure(answer) ? answer : await errand.receive(carriage, answer, attempt);
  if (isFailure(result)) attempt.end(client.aborted ? 'canceled' : result.isFinal ? 'ok' : result.outcome);
  return result;
}
