import type { Target } from '../../settings/hosts/target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { WireCodec } from '../../translation/contract/wire-codec.ts';
import { mayHoldPacked } from '../../translation/encoding/replay-token.ts';
import { hasStops } from '../../translation/fitting/has-stops.ts';
import type { CarriedRequest } from './carried-request.ts';
import { encodeTarget } from './encode-target.ts';
import { usableWires } from './usable-wires.ts';

/** A wire of a target, with the codec that translates requests for it. */
export type TranslationWire = { wire: Wire; codec: WireCodec };

/**
 * The way of a request to a target.
 *
 * | way | the request |
 * | - | - |
 * | `own` | It passes on the dialect's own wire. |
 * | `other-form` | A wire takes it in another form, without decoding it. |
 * | `translated` | It is decoded, and encoded for a wire. |
 * | `none` | The gateway speaks none of the target's wires. |
 */
export type WireChoice =
  | { way: 'own' }
  | { way: 'other-form'; wire: Wire }
  | ({ way: 'translated' } & TranslationWire)
  | { way: 'none' };

const OWN: WireChoice = { way: 'own' };
const NONE: WireChoice = { way: 'none' };

/** Chooses the wire on which a target gets the request. `mayPassOn` is false if the own wire is excluded. */
export function chooseWire(carried: CarriedRequest, target: Target, mayPassOn: boolean): WireChoice {
  const { dialect, services } = carried;
  const wires = usableWires(carried, target);
  const hasOwn = wires.includes(dialect.wire);
  const ceilingWire = wireForCeiling(carried, wires);
  if (mayPassOn && hasOwn && ceilingWire === undefined && passesUnchanged(carried, target)) return OWN;
  const { otherWires } = dialect;
  const otherWire = otherWires && wires.find((wire) => otherWires[wire] !== undefined);
  if (otherWire) return { way: 'other-form', wire: otherWire };
  const wire = ceilingWire ?? (hasOwn ? dialect.wire : wires.find((each) => services.wires.has(each)));
  const codec = wire && services.wires.get(wire);
  return codec ? { way: 'translated', wire, codec } : NONE;
}

/**
 * Reports whether the dialect's own wire can carry the request. A body with another protocol's packed proof
 * of thinking cannot pass, since the vendor would refuse the proof.
 */
const passesUnchanged = (carried: CarriedRequest, target: Target): boolean =>
  !endsAtStops(carried, target) &&
  (!carried.dialect.codec || !mayHoldPacked(carried.request.body.text, carried.dialect.codec.id)) &&
  hasEndpoint(carried, target);

/** Reports whether the host has the dialect's own endpoint, as far as the gateway knows. */
const hasEndpoint = (carried: CarriedRequest, target: Target): boolean =>
  carried.dialect.goesToOwnEndpoint?.(carried.request, encodeTarget(carried, target), target.refuses) ?? true;

/** Reports whether the gateway must end the answer itself, since the target refuses stop sequences. */
const endsAtStops = ({ dialect, request }: CarriedRequest, { refuses }: Target): boolean =>
  refuses?.has('stop') === true && dialect.codec !== undefined && hasStops(request.body.value);

/** Returns a wire that accepts the requested output ceiling, if it is too low for the dialect's own wire. */
function wireForCeiling(
  { dialect, request, services }: CarriedRequest,
  wires: readonly Wire[],
): Wire | undefined {
  const { leastOutput, ceilings: [name] = [] } = dialect;
  if (leastOutput === undefined || name === undefined) return undefined;
  const ceiling = request.body.value[name];
  if (typeof ceiling !== 'number' || ceiling >= leastOutput) return undefined;
  return wires.find((wire) => wire !== dialect.wire && services.wires.has(wire));
}
