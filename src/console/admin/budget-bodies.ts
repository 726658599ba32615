import type { Static } from 'typebox';
import { definedOf } from '../../base/lib/records.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { writtenTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { WantedBudget, WantedChange, WantedRaise } from '../../customers/budgets/wanted-budget.ts';
import { budgetKinds, budgetScopes, budgetWindows } from '../../money/budgets/budget.ts';
import { MAX_USD } from '../../settings/plans/amounts.ts';
import { closed } from '../routes/closed.ts';
import { NAME } from '../routes/name-texts.ts';
import { timeOfField } from '../routes/time-of-field.ts';

const targetText = Type.String({ minLength: 1, maxLength: 200 });
const warnShare = Type.Number({ exclusiveMinimum: 0, maximum: 1, expected: 'a number over 0 and up to 1' });
/** The share of a new budget that sends a warning, unless the body has another one. */
const WARN_SHARE = 0.8;

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
  limit_usd: Type.Number({ minimum: 0, maximum: MAX_USD }),
  warn_share: Type.Optional(
    orNull(warnShare, 'The share that sends a warning. Default: 0.8. `null` means that no warning is sent.'),
  ),
};
const newBudget = Type.Object(budgetFields);
export type NewBudget = Static<typeof newBudget>;

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

/** Reads the body of a new budget. */
export const wantedBudget = ({
  name = null,
  target = null,
  kind = 'calendar',
  limit_usd,
  warn_share = WARN_SHARE,
  ...body
}: NewBudget): WantedBudget => ({
  name: trimmed(name),
  scope: body.scope,
  target,
  window: body.window,
  kind,
  limitUsd: limit_usd,
  warnShare: warn_share,
});

/** Reads the body of a change. Fields that the body omits stay omitted. */
export const wantedChange = ({
  limit_usd,
  warn_share,
  name,
  ...body
}: Static<typeof budgetChange>): WantedChange => ({
  ...body,
  ...definedOf({
    name: name === undefined ? undefined : trimmed(name),
    limitUsd: limit_usd,
    warnShare: warn_share,
  }),
});

/** Reads the body of a raise. */
export const wantedRaise = ({ add_usd, ends_at, reason = null }: Static<typeof raiseBody>): WantedRaise => ({
  addUsd: add_usd,
  endsAt: timeOfField(ends_at, 'ends_at'),
  reason: trimmed(reason),
});

const trimmed = (name: string | null): string | null => name?.trim() ?? null;
