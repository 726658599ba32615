import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { LossCode } from '../../translation/canonical/loss.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { paramOfLosses } from '../../translation/params/param-of-losses.ts';
import { isStrict } from './carried-request.ts';

/** A request of which a target does not get everything. */
type Lossy = { exchange: Exchange; dialect: Dialect; request: InferenceRequest };

/** Forgets the losses of a target that gave no answer, since they do not affect the client's answer. */
export function forgetLosses({ notes, headers, snapshot }: Exchange): void {
  const name = snapshot.names.header.translationLosses;
  if (headers[name] === undefined) return;
  delete headers[name];
  notes.losses = undefined;
}

/**
 * Reports what a target does not get in a header, the log line and a metric. A strict request is refused
 * instead.
 */
export function reportLosses(lossy: Lossy, carriage: Carriage): Carriage | Refusal {
  const { exchange, dialect, request } = lossy;
  const { wire } = carriage;
  if (!request.losses?.length && carriage.losses.length === 0) return carriage;
  const losses = codesOf(request, carriage);
  if (isStrict(lossy)) return tooLossy(lossy, losses);
  exchange.headers[exchange.snapshot.names.header.translationLosses] = losses.join(', ');
  exchange.notes.losses = { dialect: dialect.codec?.id ?? dialect.wire, wire, codes: losses };
  return carriage;
}

/**
 * Adds a loss of a stream whose header was already sent to the log line, the metric and the end of the
 * stream.
 */
export function noteLateLoss(
  { exchange, dialect, request }: Lossy,
  carriage: Carriage,
  loss: LossCode,
): void {
  carriage.lateLoss = loss;
  const codes = codesOf(request, carriage, loss);
  exchange.notes.losses = { dialect: dialect.codec?.id ?? dialect.wire, wire: carriage.wire, codes };
}

/**
 * Returns a comment line with the late loss. Readers of event streams skip comments, except Google's official
 * clients.
 */
export const lateLossLine = ({ snapshot, style }: Exchange, { lateLoss }: Carriage): string =>
  lateLoss === undefined || style === 'google'
    ? ''
    : `: ${snapshot.names.header.translationLosses}: ${lateLoss}\n\n`;

/** Lists each loss of the request, of the target and of the stream once. */
const codesOf = (request: InferenceRequest, { losses }: Carriage, ...late: LossCode[]): LossCode[] => [
  ...new Set([...(request.losses ?? []), ...losses, ...late]),
];

function tooLossy({ dialect, request }: Lossy, losses: readonly LossCode[]): Refusal {
  const paramNames = dialect.codec?.paramNames;
  const param = paramOfLosses(losses, { body: request.asSent ?? request.body.value, paramNames });
  const fault = `chosen model's provider does not support the whole request; it would lose: ${losses.join(', ')}.`;
  return param === undefined
    ? new Refusal('route_not_qualified', { message: `The ${fault}` })
    : new Refusal('route_not_qualified', { message: `${param}: the ${fault}`, param });
}
