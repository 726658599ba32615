import { isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import type { Spending } from '../../money/ledger/spend-watch.ts';
import { type AlertNews, LATE_MS } from './alert.ts';
import { labelOf } from './alert-words.ts';
import type { SpendAlertParts } from './spend-alert-parts.ts';

/** Purchased credit has no cycle, so its occasions are remembered for this time. */
const PURCHASE_REMEMBERED_MS = 400 * DAY_MS;

/** The credits that an account draws on, which belong to its cycle or were purchased. */
type Credits = {
  totalMicrocredits: number;
  leftMicrocredits: number;
  /** The end of the cycle. `null` means that the credits were purchased. */
  endsAt: number | null;
  /** The name of the cycle or of the latest purchase. Another name is a new occasion. */
  period: string;
  /** The time until which an alert about these credits is not repeated. */
  until: number | null;
};

/** Reports credits that are low, once to operators and once for each share that the organization has set. */
export function watchCredits(parts: SpendAlertParts, spending: Spending): void {
  const { order } = spending;
  const credits =
    order.pays === 'monthly' ? creditsOfCycle(spending) : purchasedCredits(spending, parts.marks);
  if (!credits || credits.totalMicrocredits <= 0) return;
  const { accountId } = order;
  if (hasOnly(credits, parts.lowShare())) raiseLow(parts, order, credits, { occasion: accountId });
  for (const share of parts.ownShares(accountId))
    if (hasOnly(credits, share))
      raiseLow(parts, order, credits, { occasion: `own ${share} ${accountId}`, organization: accountId });
}

/** Reports whether at most this share of the credits is left. */
const hasOnly = ({ totalMicrocredits, leftMicrocredits }: Credits, share: number): boolean =>
  leftMicrocredits <= totalMicrocredits * share;

/** Raises the alert. If an organization is given, only the organization gets it. */
function raiseLow(
  parts: SpendAlertParts,
  order: Spending['order'],
  credits: Credits,
  { occasion, organization }: { occasion: string; organization?: string },
): void {
  const name = `credits_low ${occasion} ${credits.period}`;
  if (parts.service.hasRaised(name)) return;
  parts.service.raise({ name, until: credits.until }, async () => ({
    ...(await newsOf(parts, order, credits)),
    ...(organization !== undefined && { organization, isPrivate: true }),
  }));
}

/** Returns undefined if the plan has no limit. */
function creditsOfCycle({ order, usedMicrocredits, grantedMicrocredits }: Spending): Credits | undefined {
  const { id, endsAt, limitMicrocredits } = order.period;
  if (limitMicrocredits === null) return undefined;
  const totalMicrocredits = limitMicrocredits + grantedMicrocredits;
  return {
    totalMicrocredits,
    leftMicrocredits: totalMicrocredits - usedMicrocredits,
    endsAt,
    period: id,
    until: endsAt === null ? null : endsAt + LATE_MS,
  };
}

const purchasedCredits = (
  { order, usedMicrocredits, grantedMicrocredits }: Spending,
  marks: SpendAlertParts['marks'],
): Credits => ({
  totalMicrocredits: marks.get(order.accountId) ?? grantedMicrocredits,
  leftMicrocredits: grantedMicrocredits - usedMicrocredits,
  endsAt: null,
  period: `purchased ${grantedMicrocredits}`,
  until: order.at + PURCHASE_REMEMBERED_MS,
});

async function newsOf(
  { nameOfAccount }: SpendAlertParts,
  { accountId, pays }: Spending['order'],
  { totalMicrocredits, leftMicrocredits, endsAt }: Credits,
): Promise<AlertNews> {
  const accountName = await nameOfAccount(accountId);
  const remainingMicrocredits = Math.max(0, leftMicrocredits);
  const kind = pays === 'monthly' ? 'credits' : 'purchased credits';
  return {
    event: 'credits_low',
    message: `The ${kind} of account ${labelOf(accountId, accountName)} are low: ${formatCredits(remainingMicrocredits)} of ${formatCredits(totalMicrocredits)} are left.`,
    data: {
      account_id: accountId,
      account_name: accountName,
      balance: pays,
      credits_left: creditsOf(remainingMicrocredits),
      credits_given: creditsOf(totalMicrocredits),
      left_share: Math.round((remainingMicrocredits / totalMicrocredits) * 10_000) / 10_000,
      cycle_ends_at: isoTimeOrNull(endsAt),
    },
  };
}

/** Formats credits with at most three decimals. */
const formatCredits = (microcredits: number): string =>
  String(Math.round(creditsOf(microcredits) * 1_000) / 1_000);
