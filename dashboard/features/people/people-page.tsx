import type { PersonView } from '../../../src/console/admin/people-view.ts';
import { operatorRole } from '../../app/session.ts';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/column.ts';
import { minor, numberColumn, textColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { Cut } from '../../components/named.tsx';
import { Time } from '../../components/time.tsx';
import { InviteButton } from './invite-button.tsx';
import { operatorRoleNames } from './operator-role-names.ts';

type PeopleView = { data: PersonView[]; last_id: string | null; has_more: boolean };

/** Everybody who can sign in. */
export const PeoplePage = () => (
  <ListPage<PersonView, PeopleView>
    title="People"
    lead="People who can sign in to the dashboard."
    actions={operatorRole.value !== 'read_only' && <InviteButton />}
    path="/operator/people"
    filters={[{ param: 'email', label: 'Find by email address' }]}
    caption="List of people"
    columns={columns}
    empty={<EmptyState title="No people found">No person has this address.</EmptyState>}
  />
);

const columns: readonly Column<PersonView>[] = [
  textColumn('person', 'Person', ({ id, name, email }) => (
    <div>
      <a class="cut" title={name || email} href={`/operator/people/${encodeURIComponent(id)}`}>
        {name || email}
      </a>
      <div class="soft">
        <Cut>{email}</Cut>
      </div>
    </div>
  )),
  textColumn('operator', 'Operator', ({ operator_role }) =>
    operator_role ? <Badge tone="accent">{operatorRoleNames[operator_role]}</Badge> : '–',
  ),
  numberColumn('organizations', 'Organizations', ({ organizations }) => organizations.length),
  textColumn('state', 'State', (row) => (
    <div>
      {!row.email_verified && <Badge tone="warning">Not verified</Badge>}
      {row.wanted_links.length > 0 && <Badge tone="warning">Wants a link</Badge>}
      {row.email_verified && row.wanted_links.length === 0 && 'Active'}
    </div>
  )),
  minor(textColumn('created', 'Since', ({ created_at }) => <Time at={created_at} />)),
];
