import { COMPACTION } from '../../translation/canonical/refused-word.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import { refusedMember } from '../calling/refused-member.ts';
import { lacksEndpoint, type UpstreamFailure } from '../calling/upstream-failure.ts';
import type { CallOrder } from './call-order.ts';
import type { Routing } from './routing.ts';

type FailedCall = { index: number; carriage: Carriage; result: UpstreamFailure };

/** A second call of a target, without members that it has refused. */
export type Repetition = { index: number; without: string };

/** Returns how a failed call is repeated, if its target refused a member that the request can leave out. */
export function repetitionWithout<T>(
  { learned }: Routing,
  { carrier, trail, isPart }: CallOrder<T>,
  { index, carriage, result }: FailedCall,
): Repetition | undefined {
  if (carriage.mayBeAbsent && lacksEndpoint(result)) return { index, without: COMPACTION };
  if (!learned?.isOn || !result.error || (trail.leftOut !== undefined && !isPart)) return undefined;
  const word = refusedMember(result.error);
  const without = word && carrier.droppableWord(word);
  if (!without || (trail.leftOut ?? without) !== without) return undefined;
  return { index, without };
}
