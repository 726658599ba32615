import { isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import { limitAt } from '../../money/budgets/budget.ts';
import type { BudgetState } from '../../money/budgets/budget-state.ts';
import { resetsAt, spanOf, windowName } from '../../money/budgets/budget-window.ts';
import { usdOf } from '../../money/ledger/microcredits.ts';
import type { Spending } from '../../money/ledger/spend-watch.ts';
import type { AlertNews } from './alert.ts';
import type { AlertService } from './alert-service.ts';
import { dollars, labelOf } from './alert-words.ts';

/** Occasions are remembered a little longer than their window, for requests that end late. */
const LATE_MS = 7 * DAY_MS;

const EXHAUSTED = ' The gateway refuses requests that do not fit until it has room again.';

type Threshold = 'budget_warning' | 'budget_exhausted';
type Parts = {
  service: Pick<AlertService, 'raise' | 'hasRaised'>;
  nameOfAccount(id: string): Promise<string | null>;
};

/**
 * Reports a budget that has passed its thresholds, once for each target and window.
 * A new limit or a raise is a new occasion.
 */
export function watchBudget(parts: Parts, { order, refused }: Spending, state: BudgetState): void {
  const { budget, target } = state;
  const limit = limitAt(budget, order.at);
  for (const event of reachedThresholds(state, limit, refused === 'budget-reached')) {
    const name = `${event} ${budget.id} ${windowName(budget, order.at)} ${limit} ${target}`;
    if (parts.service.hasRaised(name)) continue;
    const until = order.at + 2 * spanOf(budget.window) + LATE_MS;
    parts.service.raise({ name, until }, () => newsOf(parts, { event, state, limit, at: order.at }));
  }
}

/**
 * Returns the thresholds that a budget has passed. A budget whose rest is too little for a request counts as
 * exhausted if the request would not fit without open holds either.
 */
function reachedThresholds(
  { budget, usedMicrocredits: used, heldMicrocredits: held }: BudgetState,
  limit: number,
  isRefused: boolean,
): Threshold[] {
  const isExhausted = used >= limit || (isRefused && held === 0);
  const { warnShare } = budget;
  const isWarned = warnShare !== null && used >= limit * warnShare;
  return [
    ...(isWarned ? ['budget_warning' as const] : []),
    ...(isExhausted ? ['budget_exhausted' as const] : []),
  ];
}

type ReachedThreshold = { event: Threshold; state: BudgetState; limit: number; at: number };

async function newsOf(
  { nameOfAccount }: Parts,
  { event, state, limit, at }: ReachedThreshold,
): Promise<AlertNews> {
  const { budget, target, usedMicrocredits: used, bin } = state;
  const { id, name, accountId, scope, window } = budget;
  const accountName = await nameOfAccount(accountId);
  const resets = isoTimeOrNull(resetsAt(budget, at, bin));
  const share = limit > 0 ? Math.round((used / limit) * 10_000) / 10_000 : 1;
  const whose = scope === 'organization' ? 'the organization' : `the ${scope.replace('_', ' ')} ${target}`;
  const spent = `${dollars(used)} of ${dollars(limit)}`;
  return {
    event,
    message: `The budget ${labelOf(id, name)} of account ${labelOf(accountId, accountName)} has spent ${spent} for ${whose}.${
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
      limit_usd: usdOf(limit),
      spent_usd: usdOf(used),
      share,
      resets_at: resets,
    },
    organization: accountId,
  };
}
