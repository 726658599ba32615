import { Refusal } from '../../base/errors/refusal.ts';
import type { RefusalFacts } from '../../base/errors/refusal-facts.ts';
import { isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { type BudgetKind, type BudgetScope, type BudgetWindow, limitAt } from '../../money/budgets/budget.ts';
import type { BudgetState } from '../../money/budgets/budget-state.ts';
import { resetsAt } from '../../money/budgets/budget-window.ts';
import type { HoldOrder } from '../../money/ledger/hold.ts';
import { usdOf } from '../../money/ledger/microcredits.ts';

/** Returns the budget that is free last of those that refuse. A budget that is never free counts as last. */
export function lastFree(states: readonly BudgetState[], at: number): BudgetState {
  const freeAt = ({ budget, bin }: BudgetState): number =>
    resetsAt(budget, at, bin) ?? Number.POSITIVE_INFINITY;
  return states.reduce((last, state) => (freeAt(state) > freeAt(last) ? state : last));
}

/** Returns the refusal by budgets, which names one of them. */
export function refuseBudget(states: readonly BudgetState[], order: HoldOrder): Refusal {
  const state = lastFree(states, order.at);
  const { budget, target, usedMicrocredits } = state;
  const { id, name, scope, window, kind } = budget;
  const resets = isoTimeOrNull(resetsAt(budget, order.at, state.bin));
  const limit = usdOf(limitAt(budget, order.at));
  const spent = usdOf(usedMicrocredits);
  return new Refusal('key_budget_exhausted', {
    message: `${titleOf(state)} has spent ${dollars(spent)} of its ${dollars(limit)} ${spanTexts[kind](window)}. \
${outlook(state, order, resets)}`,
    fields: {
      budget: {
        id,
        name,
        scope,
        target: scope === 'organization' ? null : target,
        window,
        kind,
        limit_usd: limit,
        spent_usd: spent,
        resets_at: resets,
      },
    },
  });
}

/** The figures of a refusal, for the record of the request. */
export type BoundFigures = Omit<RefusalFacts, 'bound'>;

/** Returns the figures of the budget that refuses a request. */
export function budgetFacts(states: readonly BudgetState[], order: HoldOrder): BoundFigures {
  const { budget, usedMicrocredits, bin } = lastFree(states, order.at);
  return {
    limit: limitAt(budget, order.at),
    used: usedMicrocredits,
    ...(order.worst && { asked: order.worst.least }),
    resets_at: resetsAt(budget, order.at, bin),
  };
}

const ownerTexts = {
  organization: () => 'of the organization',
  key: (target: string) => `of the API key ${target}`,
  member: (target: string) => `of the member ${target}`,
  end_user: (target: string) => `of the end user ${target}`,
  tag: (target: string) => `of the tag ${target}`,
} satisfies Record<BudgetScope, (target: string) => string>;

function titleOf({ budget: { name, scope }, target }: BudgetState): string {
  const owner = ownerTexts[scope](target);
  return name === null ? `The budget ${owner}` : `The budget "${name}" ${owner}`;
}

const slidingLengths = {
  hour: 'hour',
  '5h': 'five hours',
  day: 'day',
  week: 'week',
  month: '30 days',
} satisfies Record<BudgetWindow, string>;

const spanTexts = {
  calendar: (window) => `for ${window === '5h' ? 'these five hours' : `this ${window}`}`,
  sliding: (window) => `for the last ${slidingLengths[window]}`,
} satisfies Record<BudgetKind, (window: BudgetWindow) => string>;

/** Says what the request can cost if the budget has something left, and when the budget has more. */
function outlook(
  { budget, usedMicrocredits }: BudgetState,
  { at, worst }: HoldOrder,
  resets: string | null,
): string {
  const remainingMicrocredits = limitAt(budget, at) - usedMicrocredits;
  const costSentence =
    remainingMicrocredits > 0 && worst
      ? `This request can cost ${dollars(usdOf(worst.least))}, beside what open requests hold. `
      : '';
  if (resets === null) return `${costSentence}Its limit has to be raised.`;
  return budget.kind === 'calendar'
    ? `${costSentence}It starts anew at ${resets}.`
    : `${costSentence}The first spend leaves it at ${resets}.`;
}

const dollars = (usd: number): string =>
  `${usd.toLocaleString('en-US', { maximumSignificantDigits: 6, useGrouping: false })} USD`;
