import type { Refusal } from '../../base/errors/refusal.ts';
import { acceptsField } from '../../settings/hosts/accepts-field.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { mayHoldPacked } from '../../translation/encoding/replay-token.ts';
import { hasStops } from '../../translation/fitting/has-stops.ts';
import { hasTools } from '../../translation/fitting/has-tools.ts';
import { refuseRequirement } from '../../translation/fitting/refuse-requirement.ts';
import { unmetRequirement } from '../../translation/fitting/unmet-requirement.ts';
import { refuseReserved } from '../../translation/members/refuse-reserved.ts';
import type { CarriedRequest } from './carried-request.ts';
import { encodeTarget } from './encode-target.ts';

/**
 * The operator consents to reserved fields for each provider. A model or a host can refuse what the request
 * requires.
 */
export function closedTo(carried: CarriedRequest, target: Target): Refusal | undefined {
  const { request, dialect } = carried;
  const closed = request.reserved?.find(({ field }) => !acceptsField(target.provider, field));
  if (closed) return refuseReserved(closed);
  const { refuses } = target;
  if (refuses === undefined) return undefined;
  const body = request.body.value;
  if (wiresOf(carried, target).length === 0)
    return unmetRequirement('tools', 'does not support tools on this protocol');
  return refuseRequirement({ dialect, body }, refuses);
}

/** Returns the wires of a target. Some models accept tools on every wire except chat completions. */
function wiresOf({ request }: CarriedRequest, { wires, refuses }: Target): readonly Wire[] {
  if (!refuses?.has('tools_on_chat') || !hasTools(request.body.value)) return wires;
  return wires.filter((wire) => wire !== 'openai-chat');
}

/**
 * Reports whether the request can pass on its own protocol. A body with another protocol's packed proof of
 * thinking cannot, since the vendor would refuse the proof.
 */
export const goesAsItIs = (carried: CarriedRequest, target: Target): boolean =>
  wiresOf(carried, target).includes(carried.dialect.wire) &&
  !endsAtStops(carried, target) &&
  (!carried.dialect.codec || !mayHoldPacked(carried.request.body.text, carried.dialect.codec.id)) &&
  hasEndpoint(carried, target) &&
  betterWire(carried, target) === undefined;

/**
 * Returns a wire of the target that takes the dialect's requests in a form of its own, without decoding them.
 */
export const otherWireOf = (carried: CarriedRequest, target: Target): Wire | undefined =>
  carried.dialect.otherWires &&
  wiresOf(carried, target).find((wire) => carried.dialect.otherWires![wire] !== undefined);

/** Reports whether the host has the dialect's own endpoint, as far as the gateway knows. */
const hasEndpoint = (carried: CarriedRequest, target: Target): boolean =>
  carried.dialect.goesToOwnEndpoint?.(carried.request, encodeTarget(carried, target), target.refuses) ?? true;

/** The gateway ends the answer itself at the stop sequences that the target refuses. */
const endsAtStops = ({ dialect, request }: CarriedRequest, { refuses }: Target): boolean =>
  refuses?.has('stop') === true && dialect.codec !== undefined && hasStops(request.body.value);

/** Returns a wire of the target that accepts the requested ceiling, if the dialect's own wire does not. */
function betterWire(carried: CarriedRequest, target: Target): Wire | undefined {
  const { dialect, request, services } = carried;
  const { ceilings: [name = ''] = [], leastOutput = 0, wire } = dialect;
  const ceiling = leastOutput && request.body.value[name];
  if (typeof ceiling !== 'number' || ceiling >= leastOutput) return undefined;
  return wiresOf(carried, target).find((candidate) => candidate !== wire && services.wires.has(candidate));
}

/**
 * Returns the wire and the codec of a translated request. Returns undefined if the gateway speaks none of the
 * target's wires.
 */
export function wireOf(carried: CarriedRequest, target: Target) {
  const { dialect, services } = carried;
  const usable = wiresOf(carried, target);
  const native = usable.includes(dialect.wire) ? dialect.wire : undefined;
  const wire =
    betterWire(carried, target) ?? native ?? usable.find((candidate) => services.wires.has(candidate));
  return wire && { wire, codec: services.wires.get(wire)! };
}
