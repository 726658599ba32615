import { call } from '../../app/call.ts';
import { mayOperate } from '../../app/session.ts';
import { FormButton } from '../../components/form-button.tsx';
import { CreditButton } from './credit-button.tsx';
import { ACCOUNTS, accountPath } from './operator-api.ts';
import { PlanSelect } from './plan-select.tsx';
import type { AccountRow } from './rows.ts';
import { StatusButton } from './status-button.tsx';

/** The changes that an operator can make to an account. */
export function AccountActions({ account }: { account: AccountRow }) {
  if (!mayOperate.value) return null;
  const isOpen = account.status !== 'closed';
  return (
    <div class="actions">
      {isOpen && <PlanButton account={account} />}
      {isOpen && <CreditButton account={account} kind="grant" />}
      {isOpen && <CreditButton account={account} kind="purchase" />}
      <CreditButton account={account} kind="adjustment" />
      <StatusButton account={account} status={account.status === 'active' ? 'suspended' : 'active'} />
      {isOpen && <StatusButton account={account} status="closed" />}
    </div>
  );
}

const PlanButton = ({ account }: { account: AccountRow }) => (
  <FormButton
    label="Change plan"
    refreshes={ACCOUNTS}
    done="The plan was changed."
    onSubmit={({ plan }) => call('PATCH', accountPath(account.id), { plan })}
  >
    <p>An upgrade applies now. A downgrade applies at the renewal.</p>
    <PlanSelect value={account.plan} />
  </FormButton>
);
