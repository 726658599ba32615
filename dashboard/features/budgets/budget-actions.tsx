import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { formatUsd } from '../../components/format.ts';
import { BudgetForm } from './budget-form.tsx';
import type { BudgetRow } from './budget-row.ts';
import { RaiseButton } from './raise-button.tsx';

type BudgetActionsProps = {
  budget: BudgetRow;
  budgetPath: string;
  /** The path of the list of budgets. */
  path: string;
  onDeleted: () => void;
};

/** The changes of a budget. */
export function BudgetActions({ budget, budgetPath, path, onDeleted }: BudgetActionsProps) {
  const [isChanging, setChanging] = useState(false);
  return (
    <div class="form-actions">
      <RaiseButton path={budgetPath} refreshes={path} />
      {budget.raise && (
        <ConfirmButton
          label="End raise"
          title="End the raise"
          isDangerous={false}
          refreshes={path}
          onConfirm={() => call('DELETE', `${budgetPath}/raise`)}
        >
          The limit is {formatUsd(budget.limit_usd)} again at once.
        </ConfirmButton>
      )}
      <Button onClick={() => setChanging(true)}>Change</Button>
      <ConfirmButton
        label="Delete"
        title="Delete the budget"
        kind="danger"
        refreshes={path}
        onConfirm={async () => {
          await call('DELETE', budgetPath);
          onDeleted();
        }}
      >
        Requests are no longer limited by this budget.
      </ConfirmButton>
      {isChanging && (
        <BudgetForm
          title="Change the budget"
          submitLabel="Save"
          refreshes={path}
          budget={budget}
          save={(body) => call('PATCH', budgetPath, body)}
          onClose={() => setChanging(false)}
        />
      )}
    </div>
  );
}
