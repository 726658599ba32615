import { Refusal } from '../../base/errors/refusal.ts';
import { customIdOf } from './custom-id.ts';
import { LostAnswer } from './lost-answer.ts';
import type { NativeGroup } from './native-groups.ts';
import type { NativeLaneParts } from './native-lane-parts.ts';
import { complaintForLog } from './provider-complaint.ts';
import type { MarkedSubmission, SubmissionSearches } from './submission-searches.ts';

type HandOverParts = Pick<NativeLaneParts, 'store' | 'transports' | 'onFailure'> & {
  searches: SubmissionSearches;
};

/** Sends the items to the provider, and stores and returns the provider's id. */
export async function handOver(
  parts: HandOverParts,
  { id, submission }: { id: number; submission: MarkedSubmission },
  group: NativeGroup,
): Promise<string> {
  const { store, transports, searches, onFailure } = parts;
  const { provider } = group.target;
  const transport = transports[group.wire]!;
  const upstreamId = await create(parts, submission, group);
  let isTakenOver = false;
  try {
    if (await searches.keepId(id, upstreamId)) return upstreamId;
    isTakenOver = (await store.findSubmission(id)) !== undefined;
    throw new Refusal('capacity_unavailable');
  } catch (error) {
    // The other node or the next process finds the batch.
    if (isTakenOver || searches.hasEnded(error)) throw error;
    // Without a stored id, no process would ever read the results.
    // Another node may have sent the items again.
    await transport
      .cancel({ provider, upstreamId })
      .catch((fault: unknown) => onFailure(complaintForLog(fault)));
    throw error;
  }
}

/** Sends the items to the provider. If the provider does not answer, it is asked whether it has them. */
async function create(
  { transports, searches, onFailure }: HandOverParts,
  submission: MarkedSubmission,
  { items, target, wire, path, version }: NativeGroup,
): Promise<string> {
  const { provider } = target;
  const { mark } = submission;
  const requests = items.map(({ away, body }) => ({
    customId: customIdOf(mark, away.item.lease.number),
    body,
  }));
  try {
    return await transports[wire]!.submit({ provider, path, requests, mark, version });
  } catch (error) {
    if (!(error instanceof LostAnswer)) throw error;
    onFailure(complaintForLog(error));
    const found = await searches.find(submission, { provider, isSettled: error.isSettled });
    if (found === undefined) throw error;
    return found;
  }
}
