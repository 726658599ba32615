import { Refusal } from '../../base/errors/refusal.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import type { ClaimedItem } from '../stored/batch.ts';
import { collections } from '../stored/collection.ts';
import { erroredLine } from '../stored/result-line.ts';
import type { ActiveBatch, ItemAtWork } from './active-batch.ts';
import { type CallOffReason, type NextStep, nextStepOf } from './next-step.ts';
import type { RunnerParts } from './runner-parts.ts';

type WorkParts = Pick<RunnerParts, 'store' | 'clock' | 'run' | 'onFailure'> & { isStopped(): boolean };

const AFTER_FAILURE_MS = 1_000;
/** An item that was in progress at this many crashes is assumed to cause them. */
const MAX_DEATHS = 5;

/** Runs one attempt of an item, and writes its result or puts it back. */
export async function workOnItem(parts: WorkParts, active: ActiveBatch, item: ClaimedItem): Promise<void> {
  const nextStep = await attempt(parts, active, item);
  if (!nextStep) active.tally.finished++;
  else await writeAtLast(parts, { active, item, nextStep });
}

/** Runs one attempt. Returns undefined if the item was answered. */
async function attempt(
  { run }: WorkParts,
  active: ActiveBatch,
  item: ClaimedItem,
): Promise<NextStep | undefined> {
  const controller = new AbortController();
  let calledOff: CallOffReason | undefined;
  const work: ItemAtWork = {
    item,
    hasBegun: () => false,
    callOff(reason) {
      calledOff ??= reason;
      controller.abort(calledOff);
    },
  };
  active.itemsAtWork.set(item.lease.number, work);
  const earlyEnd = endWithoutRun(active, item);
  if (earlyEnd) return earlyEnd;
  const itemRun = run(item, active.batch, controller.signal);
  work.hasBegun = itemRun.hasBegun;
  const end = await itemRun.done;
  if (end === undefined) return undefined;
  if (typeof end === 'string') return { kind: 'ends', result: end };
  const nextStep = nextStepOf(item, end, calledOff);
  // The next process ends an item of a canceled batch, or reads its answer from the provider.
  return calledOff === 'stopped' ? nextStep : unlessOver(active, nextStep);
}

type ItemWrite = { active: ActiveBatch; item: ClaimedItem; nextStep: NextStep };

/**
 * Retries until the store is available, since the lease of an item at a provider lasts until the deadline.
 */
async function writeAtLast(parts: WorkParts, itemWrite: ItemWrite): Promise<void> {
  while (!parts.isStopped()) {
    try {
      await write(parts, itemWrite);
      return;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      parts.onFailure(error);
    }
    await Bun.sleep(AFTER_FAILURE_MS);
  }
  await write(parts, itemWrite);
}

async function write({ store, clock }: WorkParts, { active, item, nextStep }: ItemWrite): Promise<void> {
  const { lease, customId } = item;
  if (nextStep.kind === 'again') {
    const dueAt = clock.now() + nextStep.delayMs;
    await store.putBack({ lease, dueAt, failed: nextStep.failed });
    active.notePutBack(dueAt);
    return;
  }
  const { result, refusal } = nextStep;
  const line = refusal ? erroredLine(customId, collections[active.batch.collection], refusal) : null;
  await store.finishItem({ lease, result, line });
  active.tally.finished++;
}

/** Ends items without an attempt: expired, canceled, or present at too many crashes. */
function endWithoutRun(active: ActiveBatch, { deaths, submission }: ClaimedItem): NextStep | undefined {
  if (active.isExpired) return { kind: 'ends', result: 'expired' };
  // A provider can already have answered its items.
  if (active.isCanceled && submission === null) return { kind: 'ends', result: 'canceled' };
  if (deaths < MAX_DEATHS) return undefined;
  return { kind: 'ends', result: 'errored', refusal: new Refusal('internal_error') };
}

/** Prevents retries in a batch that was canceled or has expired. */
function unlessOver({ isExpired, isCanceled }: ActiveBatch, nextStep: NextStep): NextStep {
  if (nextStep.kind === 'ends' || !(isExpired || isCanceled)) return nextStep;
  return { kind: 'ends', result: isExpired ? 'expired' : 'canceled' };
}
