import { useState } from 'preact/hooks';
import type { PersonView } from '../../../src/console/admin/people-view.ts';
import { queryValue, setQuery, withParameters } from '../../app/address.ts';
import { operatorRole } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Input } from '../../components/input.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { operatorRoleName } from './operator-roles.ts';

type PeopleView = { data: PersonView[]; last_id: string | null; has_more: boolean };

/** Everybody who can sign in. */
export function PeoplePage() {
  const [isInviting, setInviting] = useState(false);
  const email = queryValue('email');
  const people = useQuery<PeopleView>(
    withParameters('/operator/people', { email, after: queryValue('after') }),
  );
  const invite = operatorRole.value !== 'read_only' && (
    <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
      Invite somebody
    </Button>
  );
  return (
    <>
      <PageHeader title="People" lead="People who can sign in to the dashboard." actions={invite} />
      <search class="filters">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const wanted = new FormData(event.currentTarget).get('email');
            setQuery({ email: String(wanted).trim(), after: null });
          }}
        >
          <Input
            key={email}
            label="Find by email address"
            placeholder="Find by email address"
            hidesLabel
            name="email"
            type="search"
            value={email}
          />
        </form>
      </search>
      <Loaded query={people}>
        {({ data, last_id, has_more }) => (
          <>
            <Table
              caption="List of people"
              rows={data}
              rowKey={({ id }) => id}
              empty={<EmptyState title="No people found">No person has this address.</EmptyState>}
              columns={columns}
            />
            <Pagination next={has_more ? last_id : null} />
          </>
        )}
      </Loaded>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

const columns = [
  {
    ...{ key: 'person', header: 'Person' },
    cell: ({ id, name, email }: PersonView) => (
      <div>
        <a href={`/operator/people/${encodeURIComponent(id)}`}>{name || email}</a>
        <div class="soft">{email}</div>
      </div>
    ),
  },
  {
    ...{ key: 'operator', header: 'Operator' },
    cell: ({ operator_role }: PersonView) =>
      operator_role ? <Badge tone="accent">{operatorRoleName(operator_role)}</Badge> : '–',
  },
  {
    ...{ key: 'organizations', header: 'Organizations', isNumber: true },
    cell: ({ organizations }: PersonView) => organizations.length,
  },
  {
    ...{ key: 'state', header: 'State' },
    cell: (row: PersonView) => (
      <div>
        {!row.email_verified && <Badge tone="warning">Not verified</Badge>}
        {row.wanted_links.length > 0 && <Badge tone="warning">Wants a link</Badge>}
        {row.email_verified && row.wanted_links.length === 0 && 'Active'}
      </div>
    ),
  },
  {
    ...{ key: 'created', header: 'Since', isMinor: true },
    cell: ({ created_at }: PersonView) => <Time at={created_at} />,
  },
];
