import { Refusal } from '../../base/errors/refusal.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import type { ClaimedItem } from '../stored/batch.ts';
import { collections } from '../stored/collection.ts';
import { erroredLine } from '../stored/result-line.ts';
import type { ActiveBatch, ItemAtWork } from './active-batch.ts';
import { type CalledOff, judgeUnanswered, type Unanswered } from './item-outcome.ts';
import type { RunnerParts } from './runner-parts.ts';

type WorkParts = Pick<RunnerParts, 'store' | 'clock' | 'run' | 'onFailure'> & { isStopped(): boolean };

const AFTER_FAILURE_MS = 1_000;
/** An item that was in progress at this many crashes is assumed to cause them. */
const MAX_DEATHS = 5;

/** Runs one attempt of an item, and writes its result or puts it back. */
export async function workOnItem(parts: WorkParts, active: ActiveBatch, item: ClaimedItem): Promise<void> {
  const unanswered = await answer(parts, active, item);
  if (!unanswered) active.seen.finished++;
  else await writeAtLast(parts, { active, item, unanswered });
}

/** Runs one attempt. `undefined` means that the item was answered. */
async function answer(
  { run }: WorkParts,
  active: ActiveBatch,
  item: ClaimedItem,
): Promise<Unanswered | undefined> {
  const controller = new AbortController();
  let calledOff: CalledOff | undefined;
  const work: ItemAtWork = {
    item,
    hasBegun: () => false,
    callOff(reason) {
      calledOff ??= reason;
      controller.abort(calledOff);
    },
  };
  active.atWork.set(item.lease.number, work);
  const early = neverRun(active, item);
  if (early) return early;
  const attempt = run(item, active.batch, controller.signal);
  work.hasBegun = attempt.hasBegun;
  const end = await attempt.done;
  if (end === undefined) return undefined;
  if (typeof end === 'string') return { kind: 'ends', result: end };
  const unanswered = judgeUnanswered(item, end, calledOff);
  // The next process ends an item of a canceled batch, or reads its answer from the provider.
  return calledOff === 'stopped' ? unanswered : unlessOver(active, unanswered);
}

type Writing = { active: ActiveBatch; item: ClaimedItem; unanswered: Unanswered };

/**
 * Retries until the store is available, since the lease of an item at a provider lasts until the deadline.
 */
async function writeAtLast(parts: WorkParts, writing: Writing): Promise<void> {
  while (!parts.isStopped()) {
    try {
      return await write(parts, writing);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      parts.onFailure(error);
    }
    await Bun.sleep(AFTER_FAILURE_MS);
  }
  await write(parts, writing);
}

async function write({ store, clock }: WorkParts, { active, item, unanswered }: Writing): Promise<void> {
  const { lease, customId } = item;
  if (unanswered.kind === 'again') {
    const dueAt = clock.now() + unanswered.delayMs;
    await store.putBack({ lease, dueAt, failed: unanswered.failed });
    active.claimBy(dueAt);
    return;
  }
  const { result, refusal } = unanswered;
  const line = refusal ? erroredLine(customId, collections[active.batch.collection], refusal) : null;
  await store.finishItem({ lease, result, line });
  active.seen.finished++;
}

/** Ends items without an attempt: expired, canceled, or present at too many crashes. */
function neverRun(active: ActiveBatch, { deaths, submission }: ClaimedItem): Unanswered | undefined {
  if (active.isExpired) return { kind: 'ends', result: 'expired' };
  // A provider can already have answered its items.
  if (active.isCanceled && submission === null) return { kind: 'ends', result: 'canceled' };
  if (deaths < MAX_DEATHS) return undefined;
  return { kind: 'ends', result: 'errored', refusal: new Refusal('internal_error') };
}

/** Prevents retries in a batch that was canceled or has expired. */
function unlessOver({ isExpired, isCanceled }: ActiveBatch, unanswered: Unanswered): Unanswered {
  if (unanswered.kind === 'ends' || !(isExpired || isCanceled)) return unanswered;
  return { kind: 'ends', result: isExpired ? 'expired' : 'canceled' };
}
