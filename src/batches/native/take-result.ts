import type { Refusal } from '../../base/errors/refusal.ts';
import { addReason, type ReasonContext } from '../../upstream/calling/add-reason.ts';
import { failureOfStatus } from '../../upstream/calling/failure-of-status.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import type { ItemEnd } from '../stored/item-run.ts';
import type { NativeTarget } from './native-answer.ts';
import type { NativeItem } from './native-item.ts';
import type { NativeLaneParts } from './native-lane-parts.ts';
import type { NativeResult } from './native-transport.ts';
import { complaintForLog, complaintRefusal } from './provider-complaint.ts';

type ResultParts = Pick<NativeLaneParts, 'store' | 'providers' | 'deliver' | 'onFailure'>;

/** Processes the result of an item at a provider. Throws if the store is unavailable. */
export async function takeResult(
  parts: ResultParts,
  { item, batch, admitted }: NativeItem,
  { result, target }: { result: NativeResult; target: NativeTarget },
): Promise<ItemEnd> {
  if (result.kind === 'canceled' || result.kind === 'expired') return result.kind;
  const params = await parts.store.readParams(item.lease.batch, item.lease.number);
  if (params === undefined) return 'expired'; // the batch was deleted in the meantime
  if (!admitted) throw new Error(`the item ${item.requestId} is at a provider without a hold`);
  if (result.kind === 'failed') {
    const reasonFacts = { target, model: admitted.model, params };
    return refuseResult(parts, failureOfStatus(result.status, result.text, new Headers()), reasonFacts);
  }
  const answer = { ...target, text: result.text };
  return parts.deliver({ ...item, params }, batch, { answer, admitted });
}

/** Returns the refusal for a failed result. Logs the failure unless the request itself is faulty. */
function refuseResult(
  { providers, onFailure }: ResultParts,
  failure: UpstreamFailure,
  { params, ...reasonFacts }: Pick<ReasonContext, 'target' | 'model'> & { params: string },
): Refusal {
  const { provider } = reasonFacts.target;
  if (!failure.isFinal) onFailure(complaintForLog(complaintRefusal(provider, failure)));
  // The item may have been translated, so the provider's names of fields are not the client's.
  const reported = { ...reasonFacts, providers: providers(), body: JSON.parse(params), isOwnProtocol: false };
  return addReason(failure.refusal, failure.error, reported);
}
