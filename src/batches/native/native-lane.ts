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
import { markSubmission } from './mark-submission.ts';
import { type NativeGroup, NativeGroups } from './native-groups.ts';
import { NativeItem } from './native-item.ts';
import type { NativeLaneParts } from './native-lane-parts.ts';
import { type KnownSubmission, OpenSubmission } from './open-submission.ts';
import type { Packed } from './packed.ts';
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
    const away = new NativeItem(item, batch);
    this.#items.add(away);
    signal.addEventListener('abort', () => away.end(new Refusal('capacity_unavailable')));
    let alone: ItemRun | undefined;
    const begin = async (): Promise<void> => {
      const refused = await this.#begin(away);
      if (!refused || away.isOver) return;
      if (batch.mode === 'native-required') {
        away.end(refused);
      } else {
        alone = this.#parts.runAlone(item, batch, signal);
        away.end(await alone.done);
      }
    };
    begin().catch((error: unknown) => away.end(refusalOfError(error)));
    // An item at a provider ends with the provider's result, even after an abort.
    const done = away.ended.finally(() => {
      this.#items.delete(away);
      return this.#release(away);
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
    for (const away of this.#items) away.isGivenUp = true;
    this.#groups.close();
    this.#endSearches();
    this.#reopenings = this.#newReopenings();
    this.#searches = new SubmissionSearches(this.#parts);
    for (const submission of this.#open.values()) void submission.close();
    this.#open.clear();
    for (const away of this.#items) away.end(new Refusal('capacity_unavailable'));
  }

  #newReopenings(): Reopenings {
    return new Reopenings((id, batch) => this.#reopen(id, batch), this.#parts.onFailure);
  }

  #endSearches(): void {
    this.#reopenings.close();
    this.#searches.end();
  }

  /** Sends an item natively or returns the refusal. Returns undefined if the item is sent or has ended. */
  async #begin(away: NativeItem): Promise<Refusal | undefined> {
    const { item, batch } = away;
    if (item.submission !== null && (await this.#rejoin(item.submission, away))) return undefined;
    if (this.#endsEarly(away)) return undefined;
    await this.#dropLeftHold(item);
    const packed = await this.#parts.pack(item, batch);
    if (!(packed instanceof Refusal)) away.admitted = admittedBy(packed.held.posting);
    if (this.#endsEarly(away)) return undefined;
    if (packed instanceof Refusal) return packed;
    this.#groups.add(away, packed);
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
  #endsEarly(away: NativeItem): boolean {
    if (away.isOver) void this.#release(away);
    else if (this.#isCanceled(away.batch)) away.end('canceled');
    return away.isOver || this.#isClosed;
  }

  #isCanceled(batch: RunningBatch): boolean {
    return batch.cancelInitiatedAt !== null || this.#canceled.has(batch);
  }

  /** Voids the item's hold. A posted hold is unaffected. At a stop the hold stays for the next process. */
  async #release({ admitted, isGivenUp }: NativeItem): Promise<void> {
    if (admitted && !isGivenUp && !this.#isClosed) await this.#parts.ledger.void(admitted.hold);
  }

  /** Resumes an item that an earlier process sent. Returns false if the provider does not have the item. */
  async #rejoin(id: number, away: NativeItem): Promise<boolean> {
    const { ledger, pack } = this.#parts;
    const submission = this.#open.get(id) ?? (await this.#reopenings.open(id, away.batch));
    if (this.#isClosed || away.isGivenUp) return true;
    const reclaimed = await ledger.reclaim(away.item.requestId);
    if (reclaimed) away.admitted = admittedBy(reclaimed);
    if (!submission) {
      await this.#release(away);
      return false;
    }
    if (!reclaimed) {
      // An older version sent the item without a hold, so it is admitted now.
      const packed = await pack(away.item, away.batch);
      if (packed instanceof Refusal) away.end(packed);
      else await this.#keepHold(away, packed);
    }
    if (away.isOver) await this.#release(away);
    away.forgetParams();
    submission.join(away);
    return true;
  }

  async #keepHold(away: NativeItem, { held }: Packed): Promise<void> {
    away.admitted = admittedBy(held.posting);
    await keepHolds(this.#parts.ledger, [{ away, held }]);
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
    const submission = markSubmission(this.#parts, group);
    const searches = this.#searches;
    let id: number | undefined;
    try {
      await keepHolds(ledger, items);
      const leases = items.map(({ away }) => away.item.lease);
      id = await store.createSubmission(submission, leases);
      if (id === undefined) throw new Refusal('capacity_unavailable'); // another node has an item
      const remaining = items.filter(({ away }) => !this.#endsEarly(away));
      if (remaining.length === 0) {
        await store.closeSubmission(id);
        return;
      }
      const parts = { ...this.#parts, searches };
      const upstreamId = await handOver(parts, { id, submission }, { ...group, items: remaining });
      const open = this.#watch(id, { ...submission, upstreamId }, { provider: target.provider });
      for (const { away } of remaining) open.join(away);
      if (remaining.some(({ away }) => this.#isCanceled(away.batch))) open.cancel();
    } catch (error) {
      if (searches.hasEnded(error)) return; // the next process looks for the submission
      if (id !== undefined) await store.closeSubmission(id).catch(onFailure);
      const refusal = refusalOfError(error);
      if (error instanceof Refusal && !(error instanceof LostAnswer)) onFailure(complaintForLog(error));
      for (const { away } of items) away.end(refusal);
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
      takeResult: (away, result) =>
        takeResult(this.#parts, away, { result, target: { provider, wire, upstreamModel } }),
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
