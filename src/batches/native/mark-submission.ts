import type { NativeGroup } from './native-groups.ts';
import type { NativeLaneParts } from './native-lane-parts.ts';
import type { MarkedSubmission } from './submission-searches.ts';

/** Describes the submission of a group, with the mark by which its provider is asked for it. */
export function markSubmission(
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
