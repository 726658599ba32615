import { useState } from 'preact/hooks';
import { navigate, queryValue, withParameters } from '../../app/address.ts';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { useQuery } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Filters, TextFilter } from '../../components/filters.tsx';
import { Form } from '../../components/form.tsx';
import { formatCredits } from '../../components/format.ts';
import { Input } from '../../components/input.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { GoneStatus } from './health-status.tsx';
import { type List, mayChange, OPERATOR } from './operator-api.ts';
import { PlanSelect } from './plan-select.tsx';
import type { AccountRow } from './rows.ts';

const PATH = `${OPERATOR}/accounts`;

/** All accounts. The server searches, so that it finds accounts of every page. */
export function AccountsPage() {
  const [isCreating, setCreating] = useState(false);
  const parameters = { search: queryValue('search'), after: queryValue('after') };
  const list = useQuery<List<AccountRow>>(withParameters(PATH, parameters));
  return (
    <>
      <PageHeader
        title="Accounts"
        lead="Every account is one organization, with one plan and one balance."
        actions={
          mayChange.value && (
            <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
              Create account
            </Button>
          )
        }
      />
      <Filters>
        <TextFilter param="search" label="Search" placeholder="Id, name or email" />
      </Filters>
      <Loaded query={list}>
        {({ data, has_more }) => (
          <>
            <Table
              caption="Accounts"
              columns={columns}
              rows={data}
              rowKey={({ id }) => id}
              empty={
                <EmptyState title="No matching accounts">
                  The search looks for a part of the name or email, or the start of the id.
                </EmptyState>
              }
            />
            <Pagination next={has_more ? data.at(-1)?.id : null} />
          </>
        )}
      </Loaded>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
  );
}

const columns: readonly Column<AccountRow>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ id, name }) => <a href={`/operator/accounts/${id}`}>{name}</a>,
    sortValue: ({ name }) => name,
  },
  { key: 'email', header: 'Email', isMinor: true, cell: ({ email }) => email ?? '–' },
  {
    key: 'plan',
    header: 'Plan',
    cell: ({ plan, pending_plan }) => (
      <>
        {plan} {pending_plan && <Badge>then {pending_plan}</Badge>}
      </>
    ),
    sortValue: ({ plan }) => plan,
  },
  {
    key: 'status',
    header: 'Status',
    cell: (account) => <AccountState account={account} />,
    sortValue: ({ status }) => status,
  },
  {
    key: 'used',
    header: 'Credits used',
    isNumber: true,
    cell: ({ credits }) => formatCredits(credits.used),
    sortValue: ({ credits }) => credits.used,
  },
  {
    key: 'purchased',
    header: 'Purchased credit',
    isNumber: true,
    cell: ({ purchased_credits }) => formatCredits(purchased_credits),
    sortValue: ({ purchased_credits }) => purchased_credits,
  },
];

const AccountState = ({ account }: { account: AccountRow }) =>
  account.ledger_fault ? <Badge tone="bad">quarantined</Badge> : <GoneStatus state={account.status} />;

const CreateDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Create account" onClose={onClose}>
    <Form
      submitLabel="Create account"
      onSubmit={async ({ name, email, plan }) => {
        const made = await call<AccountRow>('POST', PATH, { name, plan, ...(email && { email }) });
        refreshAnswers(PATH);
        navigate(`/operator/accounts/${made.id}`);
      }}
    >
      <Input label="Name" name="name" isRequired />
      <Input label="Email" name="email" type="email" />
      <PlanSelect />
    </Form>
  </Dialog>
);
