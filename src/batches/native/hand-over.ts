import { Refusal } from '../../base/errors/refusal.ts';
import { customIdOf } from './custom-id.ts';
import { LostAnswer } from './lost-answer.ts';
import type { NativeGroup } from './native-groups.ts';
import type { NativeLaneParts } from './native-lane-parts.ts';
import { complaintForLog } from './provider-complaint.ts';
import type { MarkedSubmission, SubmissionSearches } from './submission-searches.ts';

type HandOverParts = Pick<NativeLaneParts, 'store' | 'transportOf' | 'onFailure'> & {
  searches: SubmissionSearches;
};

/**
 * Sends the items to the provider, and stores and returns the provider's id. A batch whose results no process
 * would read is canceled.
 */
export async function handOver(
  parts: HandOverParts,
  { id, submission }: { id: number; submission: MarkedSubmission },
  group: NativeGroup,
): Promise<string> {
  const upstreamId = await create(parts, submission, group);
  const keeper = await storeId(parts, id, upstreamId).catch(async (error: unknown) => {
    // The next process finds the batch if this one stops.
    if (!parts.searches.hasEnded(error)) await cancelUnread(parts, group, upstreamId);
    throw error;
  });
  if (keeper === 'this-node') return upstreamId;
  if (keeper === 'nobody') await cancelUnread(parts, group, upstreamId);
  throw new Refusal('capacity_unavailable');
}

/** The process that has a submission. `nobody`: the submission is closed, so its items may be sent again. */
type Keeper = 'this-node' | 'another-node' | 'nobody';

/** Stores the provider's id, and returns which process has the submission now. */
async function storeId({ store, searches }: HandOverParts, id: number, upstreamId: string): Promise<Keeper> {
  if (await searches.keepId(id, upstreamId)) return 'this-node';
  return (await store.findSubmission(id)) ? 'another-node' : 'nobody';
}

/** Cancels a batch whose id could not be stored. A failure is only logged. */
async function cancelUnread(
  { transportOf, onFailure }: HandOverParts,
  { target: { provider }, wire }: NativeGroup,
  upstreamId: string,
): Promise<void> {
  await transportOf(wire)
    .cancel({ provider, upstreamId })
    .catch((error: unknown) => onFailure(complaintForLog(error)));
}

/** Sends the items to the provider. If the provider does not answer, it is asked whether it has them. */
async function create(
  { transportOf, searches, onFailure }: HandOverParts,
  submission: MarkedSubmission,
  { items, target, wire, path, version }: NativeGroup,
): Promise<string> {
  const { provider } = target;
  const { mark } = submission;
  const requests = items.map(({ nativeItem, body }) => ({
    customId: customIdOf(mark, nativeItem.item.lease.number),
    body,
  }));
  try {
    return await transportOf(wire).submit({ provider, path, requests, mark, version });
  } catch (error) {
    if (!(error instanceof LostAnswer)) throw error;
    onFailure(complaintForLog(error));
    const found = await searches.find(submission, { provider, isSettled: error.isSettled });
    if (found === undefined) throw error;
    return found;
  }
}
