import { useState } from 'preact/hooks';
import type { FormValues } from '../../components/form.tsx';
import { FormDialog, type FormDialogFrame } from '../../components/form-dialog.tsx';
import { Input } from '../../components/input.tsx';
import { optionsOf } from '../../components/options-of.ts';
import { Select } from '../../components/select.tsx';
import { type BudgetRow, scopeLabels, windowLabels } from './budget-row.ts';

const kindLabels: Readonly<Record<BudgetRow['kind'], string>> = {
  calendar: 'Calendar (UTC)',
  sliding: 'Sliding',
};

type TargetField = { label: string; hint: string };

/** The field of the target of each scope. The whole organization has no such field. */
const targetFields: Readonly<Record<BudgetRow['scope'], TargetField | null>> = {
  organization: null,
  key: { label: 'Key id', hint: 'Without an id, each key has the limit by itself.' },
  member: { label: 'Person id', hint: 'Without an id, each member has the limit by itself.' },
  end_user: { label: 'End user', hint: 'Without a name, each end user has the limit by itself.' },
  tag: { label: 'Tag', hint: 'Without a name, each tag has the limit by itself.' },
};

const PERCENT = 100;

type BudgetFormProps = FormDialogFrame & {
  /** The budget to change. Without it, a budget is made. */
  budget?: BudgetRow;
  /** Operators name the account. */
  asksAccount?: boolean;
  save: (body: Record<string, unknown>) => Promise<unknown>;
};

/** The fields of a budget. The scope is chosen when the budget is made. */
export function BudgetForm({ budget, asksAccount = false, save, ...dialog }: BudgetFormProps) {
  const [scope, setScope] = useState<BudgetRow['scope']>('organization');
  const targetField = targetFields[scope];
  return (
    <FormDialog {...dialog} onSubmit={(values) => save(bodyOf(values, budget))}>
      {asksAccount && <Input name="account_id" label="Account id" isRequired placeholder="acct_…" />}
      <Input name="name" label="Name" value={budget?.name ?? ''} maxLength={200} />
      {!budget && (
        <>
          <Select
            name="scope"
            label="Limits"
            value={scope}
            onChange={setScope}
            options={optionsOf(scopeLabels)}
          />
          {targetField && <Input key={scope} name="target" {...targetField} maxLength={200} />}
          <Select name="window" label="Window" value="month" options={optionsOf(windowLabels)} />
          <Select name="kind" label="Kind" value="calendar" options={optionsOf(kindLabels)} />
        </>
      )}
      <Input
        name="limit_usd"
        label="Limit"
        type="decimal"
        min={0}
        step="any"
        prefix="$"
        value={budget?.limit_usd ?? ''}
        isRequired
      />
      <Input
        name="warn_share"
        label="Warning"
        type="decimal"
        min={0}
        max={PERCENT}
        step="any"
        suffix="%"
        value={budget ? percentOf(budget.warn_share) : 80}
        hint="The share of the limit that sends a warning. Without one, none is sent."
      />
    </FormDialog>
  );
}

/** Returns the share as a percentage without the binary fractions of the product, for example 29 for 0.29. */
const percentOf = (share: number | null): number | '' =>
  share === null ? '' : Number((share * PERCENT).toPrecision(12));

function bodyOf(
  { limit_usd, warn_share, name, target, ...chosen }: FormValues,
  budget: BudgetRow | undefined,
): Record<string, unknown> {
  return {
    ...chosen,
    name: name || null,
    limit_usd: Number(limit_usd),
    warn_share: warn_share && Number(warn_share) > 0 ? Number(warn_share) / PERCENT : null,
    ...(target && { target }),
    ...(budget && { revision: budget.revision }),
  };
}
