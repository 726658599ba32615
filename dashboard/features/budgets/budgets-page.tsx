import { call } from '../../app/call.ts';
import { hasRole, inOrganization, organization } from '../../app/session.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { budgetColumns } from './budget-columns.tsx';
import { BudgetDialog } from './budget-dialog.tsx';
import { BudgetForm } from './budget-form.tsx';
import type { BudgetList, BudgetRow } from './budget-row.ts';

/** The budgets of the organization. */
export function BudgetsPage() {
  const path = inOrganization('/budgets');
  const mayChange = hasRole('owner') && organization.value?.status !== 'closed';
  return (
    <ListPage<BudgetRow, BudgetList>
      title="Budgets"
      lead="A budget limits what the organization, a key, a member, an end user or a tag can spend."
      actions={mayChange && path && <CreateButton path={path} />}
      path={path}
      caption="Budgets"
      columns={budgetColumns}
      empty={
        <EmptyState title="No budgets yet">
          {mayChange ? 'A new budget counts what was spent in its window before.' : 'Owners create budgets.'}
        </EmptyState>
      }
    >
      {path && <BudgetDialog path={path} mayChange={({ owner }) => mayChange && owner === 'organization'} />}
    </ListPage>
  );
}

const CreateButton = ({ path }: { path: string }) => (
  <DialogButton label="Create budget" kind="primary" icon="plus">
    {(onClose) => (
      <BudgetForm
        title="Create budget"
        submitLabel="Create budget"
        refreshes={path}
        save={(body) => call('POST', path, body)}
        onClose={onClose}
      />
    )}
  </DialogButton>
);
