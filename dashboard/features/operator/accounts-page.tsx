import { navigate } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { mayOperate } from '../../app/session.ts';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/column.ts';
import { minor, numberColumn, sortedBy, textColumn } from '../../components/columns.tsx';
import { EmailInput } from '../../components/email-input.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FormButton } from '../../components/form-button.tsx';
import { formatCredits } from '../../components/format.ts';
import { Input } from '../../components/input.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { Cut, Named } from '../../components/named.tsx';
import { GoneStatus } from './health-status.tsx';
import { ACCOUNTS, type ListOf } from './operator-api.ts';
import { PlanSelect } from './plan-select.tsx';
import type { AccountRow } from './rows.ts';

/** All accounts. The server searches, so that it finds accounts of every page. */
export const AccountsPage = () => (
  <ListPage<AccountRow, ListOf<AccountRow>>
    title="Accounts"
    lead="Every account is one organization, with one plan and one balance."
    actions={mayOperate.value && <CreateButton />}
    path={ACCOUNTS}
    filters={[{ param: 'search', label: 'Search', placeholder: 'Id, name or email' }]}
    caption="Accounts"
    columns={columns}
    empty={
      <EmptyState title="No matching accounts">
        The search looks for a part of the name or email, or the start of the id.
      </EmptyState>
    }
  />
);

const columns: readonly Column<AccountRow>[] = [
  sortedBy(
    ({ name }) => name,
    textColumn('name', 'Name', ({ id, name }) => (
      <Named name={name} id={id} href={`/operator/accounts/${id}`} />
    )),
  ),
  minor(textColumn('email', 'Email', ({ email }) => (email ? <Cut>{email}</Cut> : '–'))),
  sortedBy(
    ({ plan }) => plan,
    textColumn('plan', 'Plan', ({ plan, pending_plan }) => (
      <>
        {plan} {pending_plan && <Badge>then {pending_plan}</Badge>}
      </>
    )),
  ),
  sortedBy(
    ({ status }) => status,
    textColumn('status', 'Status', (account) => <AccountState account={account} />),
  ),
  sortedBy(
    ({ credits }) => credits.used,
    numberColumn('used', 'Credits used', ({ credits }) => formatCredits(credits.used)),
  ),
  sortedBy(
    ({ purchased_credits }) => purchased_credits,
    numberColumn('purchased', 'Purchased credit', ({ purchased_credits }) =>
      formatCredits(purchased_credits),
    ),
  ),
];

const AccountState = ({ account }: { account: AccountRow }) =>
  account.ledger_fault ? <Badge tone="bad">quarantined</Badge> : <GoneStatus state={account.status} />;

const CreateButton = () => (
  <FormButton
    label="Create account"
    kind="primary"
    icon="plus"
    refreshes={ACCOUNTS}
    onSubmit={async ({ name, email, plan }) => {
      const createdAccount = await call<AccountRow>('POST', ACCOUNTS, {
        name,
        plan,
        ...(email && { email }),
      });
      navigate(`/operator/accounts/${createdAccount.id}`);
    }}
  >
    <Input label="Name" name="name" isRequired />
    <EmailInput isRequired={false} />
    <PlanSelect />
  </FormButton>
);
