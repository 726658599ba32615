import { call } from '../../app/call.ts';
import { operatorRole } from '../../app/session.ts';
import { textColumn } from '../../components/columns.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListPage } from '../../components/list-page.tsx';
import type { Column } from '../../components/table.tsx';
import { budgetColumns } from './budget-columns.tsx';
import { BudgetDialog } from './budget-dialog.tsx';
import { BudgetForm } from './budget-form.tsx';
import { type BudgetList, type BudgetRow, scopes } from './budget-row.ts';

const PATH = '/operator/budgets';

const columns: readonly Column<BudgetRow>[] = [
  ...budgetColumns.slice(0, 1),
  textColumn('account', 'Account', ({ account_id }) => (
    <a href={`/operator/accounts/${account_id}`}>{account_id}</a>
  )),
  ...budgetColumns.slice(1),
];

/** The budgets of all accounts. */
export function OperatorBudgetsPage() {
  const mayChange = operatorRole.value === 'owner' || operatorRole.value === 'operator';
  return (
    <ListPage<BudgetRow, BudgetList>
      title="Budgets"
      lead="Budgets of all accounts, and the monthly caps of their keys."
      actions={mayChange && <CreateButton />}
      path={PATH}
      filters={[
        { param: 'account', label: 'Account', placeholder: 'acct_…' },
        { param: 'scope', label: 'Limits', options: [{ value: '', label: 'All' }, ...scopes] },
      ]}
      caption="Budgets"
      columns={columns}
      empty={<EmptyState title="No budgets">No account has a budget, or none fits the filters.</EmptyState>}
    >
      <BudgetDialog path={PATH} mayChange={({ source }) => mayChange && source === 'stored'} />
    </ListPage>
  );
}

const CreateButton = () => (
  <DialogButton label="Create budget" kind="primary" icon="plus">
    {(onClose) => (
      <BudgetForm
        title="Create budget"
        submitLabel="Create budget"
        refreshes={PATH}
        asksAccount
        save={(body) => call('POST', PATH, body)}
        onClose={onClose}
      />
    )}
  </DialogButton>
);
