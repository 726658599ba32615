import { Refusal } from '../../base/errors/refusal.ts';
import { newId } from '../../base/lib/ids.ts';
import { calendarMonth } from '../../money/ledger/calendar-month.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import { microcreditsOfCredits } from '../../money/ledger/microcredits.ts';
import { monthOf } from '../../money/ledger/month-of.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingRecord, ReloadAttempt } from './billing-record.ts';
import { type RecordChange, withChange } from './change-record.ts';
import { continueReload, payReload } from './pay-reload.ts';
import { spentInMonth } from './spent-in-month.ts';

/** The time between two looks at a balance. */
const LOOK_MS = 15_000;
/** A reload that takes longer is taken over. Its process has ended, or the answer of Stripe was lost. */
const ATTEMPT_MS = 90_000;

type ReloadRecord = BillingRecord<'reload'>;

/**
 * Buys credit when the balance is low. The reload and its amount are saved before Stripe is called, and only
 * one writer can save them. The spent amount of the month therefore includes every payment that may exist.
 */
export async function lookAtReload(parts: BillingParts, record: ReloadRecord): Promise<void> {
  const { attempt } = record.body;
  if (attempt) return resume(parts, record, attempt);
  if (!record.body.isOn) return save(parts, record, { dueAt: null });
  const now = parts.clock.now();
  const { amountCents, ceilingCents } = record.body;
  const spentCents = spentInMonth(record.body, now);
  if (spentCents + amountCents > ceilingCents)
    return save(parts, record, { dueAt: calendarMonth(now).endsAt });
  const isBalanceLow = await isLow(parts, record).catch(async (error: unknown) => {
    await save(parts, record, { dueAt: now + LOOK_MS });
    throw error;
  });
  if (!isBalanceLow) return save(parts, record, { dueAt: now + LOOK_MS });
  const newAttempt: ReloadAttempt = { id: newId('reload_'), cents: amountCents, at: now };
  const reserved = withChange(record, {
    dueAt: now + ATTEMPT_MS,
    body: { attempt: newAttempt, month: monthOf(now), spentCents: spentCents + amountCents },
  });
  if ((await parts.store.saveBilling(reserved)) === 'conflict') return;
  await payReload(parts, { accountId: record.id, attempt: newAttempt });
}

/** Saves a change of the record. A conflict means that another process has looked, so it is ignored. */
async function save(
  { store }: BillingParts,
  record: ReloadRecord,
  change: RecordChange<'reload'>,
): Promise<void> {
  await store.saveBilling(withChange(record, change));
}

async function isLow(
  parts: BillingParts,
  { id, body: { thresholdCredits } }: ReloadRecord,
): Promise<boolean> {
  const account = await parts.accounts.find(id);
  if (account instanceof Refusal || account.status !== 'active') return false;
  const period = await currentPeriod(parts.ledger, account, parts.plans());
  const { purchasedMicrocredits } = await parts.ledger.balances(id, period);
  return purchasedMicrocredits <= microcreditsOfCredits(thresholdCredits);
}

/** Continues a reload whose process has ended. It pays again only if there is no payment. */
async function resume(parts: BillingParts, record: ReloadRecord, attempt: ReloadAttempt): Promise<void> {
  const claimed = withChange(record, { dueAt: parts.clock.now() + ATTEMPT_MS });
  if ((await parts.store.saveBilling(claimed)) === 'conflict') return;
  try {
    await continueReload(parts, { accountId: record.id, attempt });
  } catch (error) {
    parts.report('warn', 'auto-reload-waits', { account_id: record.id, error: String(error) });
  }
}
