import type { Refusal } from '../../base/errors/refusal.ts';
import { acceptsField } from '../../settings/hosts/accepts-field.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { refuseRequirement } from '../../translation/fitting/refuse-requirement.ts';
import { unmetRequirement } from '../../translation/fitting/unmet-requirement.ts';
import { refuseReserved } from '../../translation/members/refuse-reserved.ts';
import type { CarriedRequest } from './carried-request.ts';
import { usableWires } from './usable-wires.ts';

/**
 * Refuses a target that may not get the request: the operator has not allowed a reserved field for its
 * provider, or the target refuses what the request requires.
 */
export function refuseTarget(carried: CarriedRequest, target: Target): Refusal | undefined {
  const { request, dialect } = carried;
  const reserved = request.reserved?.find(({ field }) => !acceptsField(target.provider, field));
  if (reserved) return refuseReserved(reserved);
  const { refuses } = target;
  if (refuses === undefined) return undefined;
  if (usableWires(carried, target).length === 0)
    return unmetRequirement('tools', 'does not support tools on this protocol');
  return refuseRequirement({ dialect, body: request.body.value }, refuses);
}
