import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { CountedBudget } from '../../customers/budgets/budget-service.ts';
import { type CountedCap, capIdOf } from '../../customers/budgets/key-caps.ts';
import { budgetKinds, budgetScopes, budgetWindows, limitAt, type Raise } from '../../money/budgets/budget.ts';
import type { TargetSpend } from '../../money/budgets/budget-store.ts';
import { countedFrom, resetsAt } from '../../money/budgets/budget-window.ts';
import { microcreditsOfUsd, usdOf } from '../../money/ledger/microcredits.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const NOTHING: Amounts = { usedMicrocredits: 0, heldMicrocredits: 0 };
/** The window of a cap. */
const MONTH = { window: 'month', kind: 'calendar' } as const;
/** The share of a cap at which `cap_80` is sent. */
const CAP_SHARE = 0.8;

const text = Type.String();
const usd = Type.Number();

const raise = Type.Object({ add_usd: usd, ends_at: time, reason: orNull(text), by: text });

/** A budget, or the monthly cap of a key in the form of a budget. */
export const budget = Type.Object(
  {
    id: text,
    account_id: text,
    name: orNull(text),
    scope: Type.Enum(budgetScopes),
    target: orNull(text, '`null` means that each target is counted separately.'),
    window: Type.Enum(budgetWindows),
    kind: Type.Enum(budgetKinds),
    limit_usd: usd,
    warn_share: orNull(Type.Number()),
    source: Type.Enum(['stored', 'key'], { description: '`key`: the monthly cap of an API key.' }),
    owner: Type.Enum(['operator', 'organization'], { description: 'Who may change it.' }),
    revision: Type.Integer(),
    raise: orNull(raise, 'The raise under way.'),
    effective_limit_usd: Type.Number({ description: 'The limit with the raise.' }),
    spent_usd: Type.Number({
      description: 'With `target: null`, the amounts are those of the fullest target.',
    }),
    held_usd: Type.Number({
      description: "What open requests hold. 0 for a key's cap, whose holds are not shown.",
    }),
    remaining_usd: usd,
    counted_from: time,
    resets_at: orNull(
      time,
      'For a sliding budget, the time at which its first spend leaves it. `null` means that it is empty.',
    ),
    exhausted: Type.Boolean(),
    created_at: time,
  },
  { title: 'Budget' },
);
export type BudgetView = ViewOf<typeof budget>;

/** Shows a budget or a cap in the form of the API. */
export const budgetView = (counted: CountedBudget | CountedCap): BudgetView =>
  'cap' in counted ? capView(counted) : storedView(counted);

function storedView({ budget, fullest, at }: CountedBudget): BudgetView {
  return {
    id: budget.id,
    account_id: budget.accountId,
    name: budget.name,
    scope: budget.scope,
    target: budget.target,
    window: budget.window,
    kind: budget.kind,
    limit_usd: usdOf(budget.limitMicrocredits),
    warn_share: budget.warnShare,
    source: 'stored',
    owner: budget.owner,
    revision: budget.revision,
    raise: budget.raise && budget.raise.endsAt > at ? raiseView(budget.raise) : null,
    ...amountsView(limitAt(budget, at), fullest),
    counted_from: isoTime(Math.max(0, countedFrom(budget, at))),
    resets_at: isoTimeOrNull(resetsAt(budget, at, fullest?.bin)),
    created_at: isoTime(budget.createdAt),
  };
}

const raiseView = ({ addMicrocredits, endsAt, reason, by }: Raise): BudgetView['raise'] => ({
  add_usd: usdOf(addMicrocredits),
  ends_at: isoTime(endsAt),
  reason,
  by,
});

type Amounts = Pick<TargetSpend, 'usedMicrocredits' | 'heldMicrocredits'>;

/** Shows what counts against a limit. */
function amountsView(limit: number, { usedMicrocredits: used, heldMicrocredits: held }: Amounts = NOTHING) {
  return {
    effective_limit_usd: usdOf(limit),
    spent_usd: usdOf(used),
    held_usd: usdOf(held),
    remaining_usd: usdOf(Math.max(0, limit - used - held)),
    exhausted: used >= limit,
  };
}

function capView({ cap, spentMicrocredits, at }: CountedCap): BudgetView {
  return {
    id: capIdOf(cap.id),
    account_id: cap.accountId,
    name: cap.name,
    scope: 'key',
    target: cap.id,
    ...MONTH,
    limit_usd: cap.capUsd,
    warn_share: CAP_SHARE,
    source: 'key',
    owner: 'organization',
    revision: cap.version,
    raise: null,
    ...amountsView(microcreditsOfUsd(cap.capUsd), {
      usedMicrocredits: spentMicrocredits,
      heldMicrocredits: 0,
    }),
    counted_from: isoTime(countedFrom(MONTH, at)),
    resets_at: isoTimeOrNull(resetsAt(MONTH, at, undefined)),
    created_at: isoTime(cap.createdAt),
  };
}
