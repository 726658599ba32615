import type { NativeGroup } from './native-groups.ts';
import type { NativeLaneParts } from './native-lane-parts.ts';
import type { MarkedSubmission } from './submission-searches.ts';

/** Returns a submission of a group, with a mark by which it is found at its provider. */
export function newSubmission(
  { clock, newMark }: Pick<NativeLaneParts, 'clock' | 'newMark'>,
  { batch, target: { provider, upstreamModel }, wire, items }: NativeGroup,
): MarkedSubmission {
  return {
    batch,
    provider: provider.id,
    wire,
    upstreamModel,
    upstreamId: null,
    mark: newMark(),
    sentAt: clock.now(),
    size: items.length,
  };
}
