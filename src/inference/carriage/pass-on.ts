import { Refusal } from '../../base/errors/refusal.ts';
import { findUpstreamModel } from '../../settings/catalog/find-upstream-model.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { AnswerLabel } from '../../translation/contract/answer-label.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import { dropRefused, refusedOfText, removeRefused } from '../../translation/fitting/drop-refused.ts';
import { unknownTypeNoter } from '../request/unknown-type-noter.ts';
import { mayBeCompared } from '../responses/vendor-ids.ts';
import type { CarriedRequest } from './carried-request.ts';
import { encodeTarget } from './encode-target.ts';
import { finishCarriage, vendorIdPlace } from './finish-carriage.ts';
import { NO_LOSSES } from './join-losses.ts';
import { labelOf } from './label-of.ts';
import { nameForVendor } from './name-for-vendor.ts';
import { sameWireCarriage } from './same-wire-carriage.ts';

/**
 * Builds the carriage for a target that speaks the client's own protocol, or takes it on another wire without
 * decoding.
 */
export function passOn(carried: CarriedRequest, target: Target, otherWire?: Wire): Carriage | Refusal {
  const { dialect, exchange } = carried;
  const { renamed, losses } = forTarget(carried, target);
  const label = {
    ...labelOf(carried),
    reportId: idReceiver(carried, target),
    reportUnknown: unknownTypeNoter(exchange),
    nameModel: (name: string) => nameOf(carried, target, name),
  };
  const order = { dialect, otherWire, request: renamed, label, style: exchange.style };
  const carriage = sameWireCarriage(order, encodeTarget(carried, target));
  const lossy =
    losses.length > 0 && !(carriage instanceof Refusal)
      ? { ...carriage, losses: [...carriage.losses, ...losses] }
      : carriage;
  return finishCarriage(carried, lossy, { target, label, otherWire, translated: undefined });
}

/**
 * Returns the client's own request, with the target's names for models and without what the target refuses.
 */
function forTarget({ request, exchange, learned }: CarriedRequest, target: Target) {
  const renamed = nameForVendor(request, target, exchange.snapshot.catalog);
  if (target.refuses === undefined) return { renamed, losses: NO_LOSSES };
  const refused = refusedOfText(renamed.body, target.refuses);
  learned?.used(target, refused.words);
  const body = removeRefused(renamed.body, refused);
  if (body === renamed.body) return { renamed, losses: refused.losses };
  const canonical = renamed.canonical && dropRefused(renamed.canonical, refused);
  return { renamed: { ...renamed, body, ...(canonical && { canonical }) }, losses: refused.losses };
}

/**
 * Returns the public name of a model that the vendor names. The target's own has the name that the client
 * chose.
 */
function nameOf({ exchange, request }: CarriedRequest, { upstreamModel, provider }: Target, name: string) {
  if (name === upstreamModel) return request.model;
  return findUpstreamModel(name, exchange.snapshot.catalog, provider.id)?.model.id;
}

function idReceiver(carried: CarriedRequest, target: Target): AnswerLabel['reportId'] {
  const { vendorIds, dialect, request, id } = carried;
  if (!vendorIds || !mayBeCompared(request, dialect.wire)) return undefined;
  return (vendorId) => vendorIds.remember(vendorIdPlace(carried, target, id), vendorId);
}
