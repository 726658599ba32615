import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { isOwnError, Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { waitingSignal } from '../../edge/http/waiting-signal.ts';
import type { Inference } from '../request/inference.ts';
import { askModel } from './ask-model.ts';
import { qualifySubstitute } from './qualify-substitute.ts';
import { writeServedBy } from './write-served-by.ts';

/**
 * Errors that a request to a different model may avoid. A request that has already queued without success is
 * not retried.
 */
const MAY_FARE_BETTER: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'upstream_overloaded',
  'upstream_timeout',
  'upstream_unavailable',
]);

/** The most substitutes that are tried, since each one costs the client time. */
const MAX_SUBSTITUTES = 3;

/** Asks comparable models if the requested one has failed. Returns undefined if none of them has answered. */
export async function askSubstitutes(inference: Inference, failure: Refusal): Promise<Reply | undefined> {
  if (!mayBeSubstituted(inference, failure)) return undefined;
  const { exchange, trail, permit } = inference;
  let tried = 0;
  for (const entry of permit.substitutes()) {
    if (waitingSignal(exchange).aborted || tried === MAX_SUBSTITUTES) break;
    const other = await qualifySubstitute(inference, entry);
    if (other instanceof Refusal) continue;
    tried++;
    writeServedBy(other);
    const reply = await askModel(other);
    if (!(reply instanceof Refusal)) return reply;
  }
  const { id } = permit.entry.model;
  delete exchange.headers[exchange.snapshot.names.header.servedBy];
  trail.model = id;
  exchange.notes.servedModel = id;
  return undefined;
}

function mayBeSubstituted({ services, entry }: Inference, failure: Refusal): boolean {
  const { activity } = services.routing;
  const isAway = entry.targets.every(({ provider }) => activity.isDrained(provider.id));
  return (isAway && !isOwnError(failure)) || MAY_FARE_BETTER.has(failure.code);
}
