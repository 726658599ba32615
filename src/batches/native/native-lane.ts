import { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import { waitAtMost } from '../../base/lib/wait-at-most.ts';
import { admittedBy } from '../../inference/hold/admitted.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { ClaimedItem } from '../stored/batch.ts';
import type { RunningBatch } from '../stored/batch-store.ts';
import type { ItemRun } from '../stored/item-run.ts';
import { handOver } from './hand-over.ts';
import { keepHolds } from './keep-holds.ts';
import { LostAnswer } from './lost-answer.ts';
import { type NativeGroup, NativeGroups } from './native-groups.ts';
import { NativeItem } from './native-item.ts';
import type { NativeLaneParts } from './native-lane-parts.ts';
import { newSubmission } from './new-submission.ts';
import { type KnownSubmission, OpenSubmission } from './open-submission.ts';
import type { PackedRequest } from './packed-request.ts';
import { complaintForLog } from './provider-complaint.ts';
import { Reopenings } from './reopenings.ts';
import { SubmissionSearches } from './submission-searches.ts';
import { takeResult } from './take-result.ts';

/**
 * The longest wait at a stop for submissions in progress. The next process looks for unfinished ones at their
 * providers.
 */
const MAX_CLOSE_MS = 5_000;

/**
 * Runs batch items through the providers' own batches, grouped by model. Payment is decided when an item is
 * packed. Its hold stays until its answer is posted or the item fails. Submissions and holds are stored
 * before sending, so a restart resumes them without sending again. A submission without an answer is looked
 * for at its provider before its items are sent again.
 */
export class NativeLane {
  readonly #parts: NativeLaneParts;
  readonly #groups: NativeGroups;
  /** The items that have not ended. */
  readonly #items = new Set<NativeItem>();
  /** The open submissions by number. */
  readonly #open = new Map<number, OpenSubmission>();
  #reopenings: Reopenings;
  #searches: SubmissionSearches;
  readonly #sending = new Set<Promise<void>>();
  /** The canceled batches, whose items must not start. */
  readonly #canceled = new WeakSet<RunningBatch>();
  #isClosed = false;

  constructor(parts: NativeLaneParts) {
    this.#parts = parts;
    this.#groups = new NativeGroups((group) => this.#send(group));
    this.#searches = new SubmissionSearches(parts);
    this.#reopenings = this.#newReopenings();
  }

  /** Runs an item at its provider. A refused item runs by a normal call, unless its batch excludes that. */
  run(item: ClaimedItem, batch: RunningBatch, signal: AbortSignal): ItemRun {
    const nativeItem = new NativeItem(item, batch);
    this.#items.add(nativeItem);
    signal.addEventListener('abort', () => nativeItem.end(new Refusal('capacity_unavailable')));
    let alone: ItemRun | undefined;
    const begin = async (): Promise<void> => {
      const refused = await this.#begin(nativeItem);
      if (!refused || nativeItem.isOver) return;
      if (batch.mode === 'native-required') {
        nativeItem.end(refused);
      } else {
        alone = this.#parts.runAlone(item, batch, signal);
        nativeItem.end(await alone.done);
      }
    };
    begin().catch((error: unknown) => nativeItem.end(refusalOfError(error)));
    // An item at a provider ends with the provider's result, even after an abort.
    const done = nativeItem.ended.finally(() => {
      this.#items.delete(nativeItem);
      return this.#release(nativeItem);
    });
    return { done, hasBegun: () => alone?.hasBegun() ?? true };
  }

  /** Cancels the batch at its providers. Their answers decide the results. */
  cancel(batch: RunningBatch): void {
    this.#canceled.add(batch);
    this.#groups.drop(batch.sequence);
    for (const submission of this.#open.values())
      if (submission.batch === batch.sequence) submission.cancel();
  }

  /** Voids the unclaimed holds of an ended batch, which an earlier process left. */
  forget({ sequence }: RunningBatch): MaybeLater<void> {
    return this.#parts.ledger.voidUnclaimed(sequence);
  }

  /**
   * Resolves when no submission or result is being written. Holds of items at providers stay in the store.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#groups.close();
    this.#endSearches();
    await waitAtMost(MAX_CLOSE_MS, Promise.all(this.#sending));
    await Promise.all([...this.#open.values()].map((submission) => submission.close()));
  }

  /**
   * Gives up everything under way, because the other nodes have closed this one and take over its items.
   * Neither their holds nor their submissions are touched any more.
   */
  leave(): void {
    for (const nativeItem of this.#items) nativeItem.isGivenUp = true;
    this.#groups.close();
    this.#endSearches();
    this.#reopenings = this.#newReopenings();
    this.#searches = new SubmissionSearches(this.#parts);
    for (const submission of this.#open.values()) void submission.close();
    this.#open.clear();
    for (const nativeItem of this.#items) nativeItem.end(new Refusal('capacity_unavailable'));
  }

  #newReopenings(): Reopenings {
    return new Reopenings((id, batch) => this.#reopen(id, batch), this.#parts.onFailure);
  }

  #endSearches(): void {
    this.#reopenings.close();
    this.#searches.end();
  }

  /** Sends an item natively or returns the refusal. Returns undefined if the item is sent or has ended. */
  async #begin(nativeItem: NativeItem): Promise<Refusal | undefined> {
    const { item, batch } = nativeItem;
    if (item.submission !== null && (await this.#rejoin(item.submission, nativeItem))) return undefined;
    if (this.#endsEarly(nativeItem)) return undefined;
    await this.#dropLeftHold(item);
    const packed = await this.#parts.pack(item, batch);
    if (!(packed instanceof Refusal)) nativeItem.admitted = admittedBy(packed.held.posting);
    if (this.#endsEarly(nativeItem)) return undefined;
    if (packed instanceof Refusal) return packed;
    this.#groups.add(nativeItem, packed);
    return undefined;
  }

  /** Voids the hold of an earlier attempt, which ended with its process before the item was sent. */
  async #dropLeftHold({ requestId, submission, lease }: ClaimedItem): Promise<void> {
    if (submission !== null || lease.attempt === 1) return;
    const reclaimed = await this.#parts.ledger.reclaim(requestId);
    if (reclaimed) await this.#parts.ledger.void(reclaimed.hold);
  }

  /**
   * Reports whether the item must not be sent: it was called off, its batch was canceled, or the server
   * stops.
   */
  #endsEarly(nativeItem: NativeItem): boolean {
    if (nativeItem.isOver) void this.#release(nativeItem);
    else if (this.#isCanceled(nativeItem.batch)) nativeItem.end('canceled');
    return nativeItem.isOver || this.#isClosed;
  }

  #isCanceled(batch: RunningBatch): boolean {
    return batch.cancelInitiatedAt !== null || this.#canceled.has(batch);
  }

  /** Voids the item's hold. A posted hold is unaffected. At a stop the hold stays for the next process. */
  async #release({ admitted, isGivenUp }: NativeItem): Promise<void> {
    if (admitted && !isGivenUp && !this.#isClosed) await this.#parts.ledger.void(admitted.hold);
  }

  /** Resumes an item that an earlier process sent. Returns false if the provider does not have the item. */
  async #rejoin(id: number, nativeItem: NativeItem): Promise<boolean> {
    const { ledger, pack } = this.#parts;
    const submission = this.#open.get(id) ?? (await this.#reopenings.open(id, nativeItem.batch));
    if (this.#isClosed || nativeItem.isGivenUp) return true;
    const reclaimed = await ledger.reclaim(nativeItem.item.requestId);
    if (reclaimed) nativeItem.admitted = admittedBy(reclaimed);
    if (!submission) {
      await this.#release(nativeItem);
      return false;
    }
    if (!reclaimed) {
      // An older version sent the item without a hold, so it is admitted now.
      const packed = await pack(nativeItem.item, nativeItem.batch);
      if (packed instanceof Refusal) nativeItem.end(packed);
      else await this.#keepHold(nativeItem, packed);
    }
    if (nativeItem.isOver) await this.#release(nativeItem);
    nativeItem.forgetParams();
    submission.join(nativeItem);
    return true;
  }

  async #keepHold(nativeItem: NativeItem, { held }: PackedRequest): Promise<void> {
    nativeItem.admitted = admittedBy(held.posting);
    await keepHolds(this.#parts.ledger, [{ nativeItem, held }]);
  }

  /** Looks up a submission of an earlier process. Throws if the store is unavailable. */
  async #reopen(id: number, batch: RunningBatch): Promise<OpenSubmission | undefined> {
    const { store, providerOf } = this.#parts;
    const stored = await store.findSubmission(id);
    if (!stored) return undefined;
    const provider = providerOf(stored.provider);
    const recovery = provider && (await this.#searches.recover(id, stored, provider));
    if (recovery?.kind === 'taken-over') throw new Refusal('capacity_unavailable');
    if (!provider || recovery?.kind !== 'found') {
      await store.closeSubmission(id);
      return undefined;
    }
    const { upstreamId } = recovery;
    const listItems = () => store.listItemsAway(id);
    const submission = this.#watch(id, { ...stored, upstreamId }, { provider, listItems });
    if (this.#isCanceled(batch)) submission.cancel();
    return submission;
  }

  #send(group: NativeGroup): void {
    const sending = this.#submit(group).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** Sends a group. Never throws: a failure ends the items of the group. */
  async #submit(group: NativeGroup): Promise<void> {
    const { store, ledger, onFailure } = this.#parts;
    const { items, target } = group;
    const submission = newSubmission(this.#parts, group);
    const searches = this.#searches;
    let id: number | undefined;
    try {
      await keepHolds(ledger, items);
      const leases = items.map(({ nativeItem }) => nativeItem.item.lease);
      id = await store.createSubmission(submission, leases);
      if (id === undefined) throw new Refusal('capacity_unavailable'); // another node has an item
      const remaining = items.filter(({ nativeItem }) => !this.#endsEarly(nativeItem));
      if (remaining.length === 0) {
        await store.closeSubmission(id);
        return;
      }
      const parts = { ...this.#parts, searches };
      const upstreamId = await handOver(parts, { id, submission }, { ...group, items: remaining });
      const open = this.#watch(id, { ...submission, upstreamId }, { provider: target.provider });
      for (const { nativeItem } of remaining) open.join(nativeItem);
      if (remaining.some(({ nativeItem }) => this.#isCanceled(nativeItem.batch))) open.cancel();
    } catch (error) {
      if (searches.hasEnded(error)) return; // the next process looks for the submission
      if (id !== undefined) await store.closeSubmission(id).catch(onFailure);
      const refusal = refusalOfError(error);
      if (error instanceof Refusal && !(error instanceof LostAnswer)) onFailure(complaintForLog(error));
      for (const { nativeItem } of items) nativeItem.end(refusal);
    }
  }

  /** Begins to poll a batch at its provider. */
  #watch(
    id: number,
    known: KnownSubmission,
    { provider, listItems }: { provider: Provider; listItems?: () => Promise<number[]> },
  ): OpenSubmission {
    const { store, transportOf, onFailure } = this.#parts;
    const { wire, upstreamModel } = known;
    const submission = new OpenSubmission({
      known,
      provider,
      listItems,
      onFailure,
      transport: transportOf(wire),
      takeResult: (nativeItem, result) =>
        takeResult(this.#parts, nativeItem, { result, target: { provider, wire, upstreamModel } }),
      end: async () => {
        this.#open.delete(id);
        return store.closeSubmission(id);
      },
    });
    this.#open.set(id, submission);
    if (this.#isClosed) void submission.close();
    else submission.start();
    return submission;
  }
}
