import { Refusal } from '../../base/errors/refusal.ts';
import { unixSeconds } from '../../base/lib/unix-seconds.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { LossCode } from '../../translation/canonical/loss.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type { ResponseHead } from '../../translation/contract/response-head.ts';
import { dropRefused, refusedOf, withoutStops } from '../../translation/fitting/drop-refused.ts';
import { fitRequest } from '../../translation/fitting/fit-request.ts';
import { renameParam } from '../../translation/params/rename-param.ts';
import type { CarriedRequest } from './carried-request.ts';
import type { TranslationWire } from './choose-wire.ts';
import { encodeTarget } from './encode-target.ts';
import { finishCarriage } from './finish-carriage.ts';
import { labelOf } from './label-of.ts';
import { noteLateLoss } from './report-losses.ts';
import { translatedCarriage } from './translated-carriage.ts';

/** Builds the carriage for a target that speaks a different protocol. */
export function translateRequest(
  carried: CarriedRequest,
  clientHead: ResponseHead,
  { target, wire, codec }: TranslationWire & { target: Target },
): Carriage | Refusal {
  const { estimate } = carried;
  const { codec: dialect } = carried.dialect;
  if (!dialect) return new Refusal('route_not_qualified', { param: 'model' });
  const encoding = encodeTarget(carried, target);
  const fitted = fitRequest(clientHead.request, codec.id);
  if (fitted instanceof Refusal) return renameParam(fitted, dialect.paramNames);
  const refused = refusedOf(fitted.request, target.refuses);
  carried.learned?.used(target, refused.words);
  const request = dropRefused(fitted.request, refused);
  const losses = [...fitted.losses, ...refused.losses.map((code) => ({ code }))];
  const reportLoss = (loss: LossCode): void => {
    if (!(finished instanceof Refusal)) noteLateLoss(carried, finished, loss);
  };
  const head = { ...clientHead, request, reportLoss };
  const sent = withoutStops(request, target.refuses);
  const carriage = translatedCarriage({
    wire,
    codec,
    dialect,
    head,
    sent,
    target: encoding,
    estimate,
    losses,
  });
  const translation = { head, from: wire };
  const finished = finishCarriage(carried, carriage, {
    target,
    label: labelOf(carried),
    translated: translation,
  });
  return finished;
}

/** Decodes the request into the canonical form, which all targets of other protocols share. */
export function decodeHead(carried: CarriedRequest, createdAt = unixSeconds()): ResponseHead | Refusal {
  const { dialect, request, id, services } = carried;
  if (!dialect.codec) return new Refusal('route_not_qualified', { param: 'model' });
  const decoded = request.canonical ?? dialect.codec.decodeRequest(request.body);
  if (decoded instanceof Refusal) return decoded;
  const { recapKey } = services;
  const { model, body, echo } = request;
  return { responseId: id, model, createdAt, request: decoded, body, echo, recapKey };
}
