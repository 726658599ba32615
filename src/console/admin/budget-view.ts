import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time, writtenTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { CountedBudget } from '../../customers/budgets/budget-service.ts';
import { type CountedCap, capIdOf } from '../../customers/budgets/key-caps.ts';
import { budgetKinds, budgetScopes, budgetWindows, limitAt } from '../../money/budgets/budget.ts';
import type { TargetSpend } from '../../money/budgets/budget-store.ts';
import { countedFrom, resetsAt } from '../../money/budgets/budget-window.ts';
import { microcreditsOfUsd, usdOf } from '../../money/ledger/microcredits.ts';
import { MAX_USD } from '../../settings/plans/amounts.ts';
import { NAME } from '../routes/name-texts.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const closed = { additionalProperties: false };
const text = Type.String();
const usd = Type.Number();

const targetText = Type.String({ minLength: 1, maxLength: 200 });
const limitField = Type.Number({ minimum: 0, maximum: MAX_USD });
const warnShare = Type.Number({ exclusiveMinimum: 0, maximum: 1, expected: 'a number over 0 and up to 1' });

/** The fields of a budget that its maker chooses. */
export const budgetFields = {
  name: Type.Optional(orNull(Type.String(NAME))),
  scope: Type.Enum(budgetScopes),
  target: Type.Optional(
    orNull(
      targetText,
      'The id of a key or of a person, an end user, or a tag. `null` means that each target is counted separately.',
    ),
  ),
  window: Type.Enum(budgetWindows),
  kind: Type.Optional(Type.Enum(budgetKinds, { description: 'Default: `calendar`, in UTC.' })),
  limit_usd: limitField,
  warn_share: Type.Optional(
    orNull(warnShare, 'The share that sends a warning. Default: 0.8. `null` means that no warning is sent.'),
  ),
};

/** The body that changes a budget. */
export const budgetChange = Type.Partial(
  Type.Object({
    ...budgetFields,
    revision: Type.Integer({ description: 'An older revision than the current one is refused.' }),
  }),
  closed,
);

/** The body that raises a budget for a time. */
export const raiseBody = Type.Object(
  {
    add_usd: Type.Number({ exclusiveMinimum: 0, maximum: MAX_USD }),
    ends_at: writtenTime,
    reason: Type.Optional(orNull(Type.String(NAME))),
  },
  closed,
);

const raise = Type.Object({ add_usd: usd, ends_at: time, reason: orNull(text), by: text });

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
    raise: Type.Union([raise, Type.Null()], { description: 'The raise under way.' }),
    effective_limit_usd: Type.Number({ description: 'The limit with the raise.' }),
    spent_usd: Type.Number({
      description: 'With `target: null`, the amounts are those of the fullest target.',
    }),
    held_usd: Type.Number({ description: 'What open requests hold.' }),
    remaining_usd: usd,
    counted_from: time,
    resets_at: orNull(
      time,
      'Of a sliding budget, when the first spend leaves it. `null` means that it is empty.',
    ),
    exhausted: Type.Boolean(),
    created_at: time,
  },
  { title: 'Budget' },
);
export type BudgetView = ViewOf<typeof budget>;

export const spend = Type.Object(
  {
    id: Type.String({ description: 'The target, for `after`.' }),
    target: orNull(text, '`null` means the organization.'),
    target_name: orNull(text),
    spent_usd: usd,
    held_usd: usd,
    requests: Type.Integer(),
    resets_at: orNull(time),
  },
  { title: 'Budget Spend' },
);

/** Shows a budget or a cap in the form of the API. */
export const budgetView = (counted: CountedBudget | CountedCap, now: number): BudgetView =>
  'cap' in counted ? capView(counted, now) : storedView(counted, now);

function storedView({ budget, fullest }: CountedBudget, now: number): BudgetView {
  const { raise: raised } = budget;
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
    raise:
      raised && raised.endsAt > now
        ? {
            add_usd: usdOf(raised.addMicrocredits),
            ends_at: isoTime(raised.endsAt),
            reason: raised.reason,
            by: raised.by,
          }
        : null,
    ...amounts(limitAt(budget, now), fullest),
    counted_from: isoTime(Math.max(0, countedFrom(budget, now))),
    resets_at: isoTimeOrNull(resetsAt(budget, now, fullest?.bin)),
    created_at: isoTime(budget.createdAt),
  };
}

type Amounts = Pick<TargetSpend, 'usedMicrocredits' | 'heldMicrocredits'>;

function amounts(limit: number, { usedMicrocredits: used, heldMicrocredits: held }: Amounts = NOTHING) {
  return {
    effective_limit_usd: usdOf(limit),
    spent_usd: usdOf(used),
    held_usd: usdOf(held),
    remaining_usd: usdOf(Math.max(0, limit - used - held)),
    exhausted: used >= limit,
  };
}

const NOTHING: Amounts = { usedMicrocredits: 0, heldMicrocredits: 0 };
const MONTH = { window: 'month', kind: 'calendar' } as const;
/** The share of a cap at which `cap_80` is sent. */
const CAP_SHARE = 0.8;

function capView({ cap, spentMicrocredits }: CountedCap, now: number): BudgetView {
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
    ...amounts(microcreditsOfUsd(cap.capUsd), { usedMicrocredits: spentMicrocredits, heldMicrocredits: 0 }),
    counted_from: isoTime(countedFrom(MONTH, now)),
    resets_at: isoTimeOrNull(resetsAt(MONTH, now, undefined)),
    created_at: isoTime(cap.createdAt),
  };
}
