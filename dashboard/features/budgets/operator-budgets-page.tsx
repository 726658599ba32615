import { call } from '../../app/call.ts';
import { mayOperate } from '../../app/session.ts';
import type { Column } from '../../components/column.ts';
import { textColumn } from '../../components/columns.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { optionsOf } from '../../components/options-of.ts';
import { budgetColumns } from './budget-columns.tsx';
import { BudgetDialog } from './budget-dialog.tsx';
import { BudgetForm } from './budget-form.tsx';
import { type BudgetList, type BudgetRow, scopeLabels } from './budget-row.ts';

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
  return (
    <ListPage<BudgetRow, BudgetList>
      title="Budgets"
      lead="Budgets of all accounts, and the monthly caps of their keys."
      actions={mayOperate.value && <CreateButton />}
      path={PATH}
      filters={[
        { param: 'account', label: 'Account', placeholder: 'acct_…' },
        {
          param: 'scope',
          label: 'Limits',
          options: [{ value: '', label: 'All' }, ...optionsOf(scopeLabels)],
        },
      ]}
      caption="Budgets"
      columns={columns}
      empty={<EmptyState title="No budgets">No account has a budget, or none fits the filters.</EmptyState>}
    >
      <BudgetDialog path={PATH} mayChange={({ source }) => mayOperate.value && source === 'stored'} />
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
