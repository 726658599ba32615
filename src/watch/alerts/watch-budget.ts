import { isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { limitAt } from '../../money/budgets/budget.ts';
import type { BudgetState } from '../../money/budgets/budget-state.ts';
import { resetsAt, spanOf, windowName } from '../../money/budgets/budget-window.ts';
import { usdOf } from '../../money/ledger/microcredits.ts';
import type { Spending } from '../../money/ledger/spend-watch.ts';
import { type AlertNews, LATE_MS } from './alert.ts';
import { dollars, labelOf } from './alert-words.ts';
import type { SpendAlertParts } from './spend-alert-parts.ts';

const EXHAUSTED = ' The gateway refuses requests that do not fit until it has room again.';

type Threshold = 'budget_warning' | 'budget_exhausted';
/**
 * Reports a budget that has passed its thresholds, once for each target and window. A new limit or a raise is
 * a new occasion.
 */
export function watchBudget(parts: SpendAlertParts, { order, refused }: Spending, state: BudgetState): void {
  const { budget, target } = state;
  const limitMicrocredits = limitAt(budget, order.at);
  for (const event of reachedThresholds(state, limitMicrocredits, refused === 'budget-reached')) {
    const name = `${event} ${budget.id} ${windowName(budget, order.at)} ${limitMicrocredits} ${target}`;
    if (parts.service.hasRaised(name)) continue;
    const until = order.at + 2 * spanOf(budget.window) + LATE_MS;
    parts.service.raise({ name, until }, () =>
      newsOf(parts, { event, state, limitMicrocredits, at: order.at }),
    );
  }
}

/**
 * Returns the thresholds that a budget has passed. A budget that has refused a request also counts as
 * exhausted if it has no open holds, since the request would not fit later either.
 */
function reachedThresholds(
  { budget, usedMicrocredits, heldMicrocredits }: BudgetState,
  limitMicrocredits: number,
  isRefused: boolean,
): Threshold[] {
  const isExhausted = usedMicrocredits >= limitMicrocredits || (isRefused && heldMicrocredits === 0);
  const { warnShare } = budget;
  const isWarned = warnShare !== null && usedMicrocredits >= limitMicrocredits * warnShare;
  return [
    ...(isWarned ? ['budget_warning' as const] : []),
    ...(isExhausted ? ['budget_exhausted' as const] : []),
  ];
}

type ReachedThreshold = { event: Threshold; state: BudgetState; limitMicrocredits: number; at: number };

async function newsOf(
  { nameOfAccount }: SpendAlertParts,
  { event, state, limitMicrocredits, at }: ReachedThreshold,
): Promise<AlertNews> {
  const { budget, target, usedMicrocredits, bin } = state;
  const { id, name, accountId, scope, window } = budget;
  const accountName = await nameOfAccount(accountId);
  const resets = isoTimeOrNull(resetsAt(budget, at, bin));
  const share =
    limitMicrocredits > 0 ? Math.round((usedMicrocredits / limitMicrocredits) * 10_000) / 10_000 : 1;
  const spender = scope === 'organization' ? 'the organization' : `the ${scope.replace('_', ' ')} ${target}`;
  const amounts = `${dollars(usedMicrocredits)} of ${dollars(limitMicrocredits)}`;
  return {
    event,
    message: `The budget ${labelOf(id, name)} of account ${labelOf(accountId, accountName)} has spent ${amounts} for ${spender}.${
      event === 'budget_exhausted' ? EXHAUSTED : ''
    }`,
    data: {
      budget_id: id,
      budget_name: name,
      account_id: accountId,
      account_name: accountName,
      scope,
      target: scope === 'organization' ? null : target,
      window,
      limit_usd: usdOf(limitMicrocredits),
      spent_usd: usdOf(usedMicrocredits),
      share,
      resets_at: resets,
    },
    organization: accountId,
  };
}
