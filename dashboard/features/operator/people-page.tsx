import { queryValue, withParameters } from '../../app/address.ts';
import { useQuery } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Filters, TextFilter } from '../../components/filters.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { type List, OPERATOR } from './operator-api.ts';
import type { PersonRow } from './rows.ts';

/** The people who can sign in. */
export function PeoplePage() {
  const email = queryValue('email');
  const parameters = { after: queryValue('after'), ...(email && { email }) };
  const list = useQuery<List<PersonRow>>(withParameters(`${OPERATOR}/people`, parameters));
  return (
    <>
      <PageHeader title="People" lead="Everybody who can sign in to this dashboard." />
      <Filters>
        <TextFilter param="email" label="Email" placeholder="ada@example.com" />
      </Filters>
      <Loaded query={list}>
        {({ data, has_more }) => (
          <>
            <Table
              caption="People"
              columns={columns}
              rows={data}
              rowKey={({ id }) => id}
              empty={<EmptyState title="Nobody fits">Search for another address.</EmptyState>}
            />
            <Pagination next={has_more ? data.at(-1)?.id : null} />
          </>
        )}
      </Loaded>
    </>
  );
}

const columns: readonly Column<PersonRow>[] = [
  {
    key: 'email',
    header: 'Email',
    cell: ({ id, email, email_verified }) => (
      <>
        <a href={`/operator/people/${id}`}>{email}</a>{' '}
        {!email_verified && <Badge tone="warning">not verified</Badge>}
      </>
    ),
  },
  { key: 'name', header: 'Name', cell: ({ name }) => name },
  {
    key: 'role',
    header: 'Operator',
    cell: ({ operator_role }) =>
      operator_role ? <Badge tone="accent">{operator_role.replace('_', ' ')}</Badge> : 'no',
  },
  {
    key: 'organizations',
    header: 'Organizations',
    isNumber: true,
    cell: ({ organizations }) => organizations.length,
  },
  {
    key: 'factor',
    header: 'Second factor',
    isMinor: true,
    cell: ({ two_factor }) => (two_factor ? 'on' : 'off'),
  },
  {
    key: 'created',
    header: 'Since',
    isMinor: true,
    cell: ({ created_at }) => <Time at={created_at} isRelative />,
  },
];
