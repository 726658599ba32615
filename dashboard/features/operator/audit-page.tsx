import type { Column } from '../../components/column.ts';
import { textColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { Cut, Named } from '../../components/named.tsx';
import { Time } from '../../components/time.tsx';
import { chosenSpan, TimeFilter } from '../../components/time-filter.tsx';
import { AuditChange } from './audit-change.tsx';
import { AccountName, nameOf } from './known-names.tsx';
import { type ListOf, OPERATOR } from './operator-api.ts';
import type { AuditRow } from './rows.ts';

/** Who changed what, and when. */
export const AuditPage = () => (
  <ListPage<AuditRow, ListOf<AuditRow>>
    title="Audit log"
    lead="The log has every change that a person, a token or a command has made, every sign-in, and each reading of recorded content."
    path={`${OPERATOR}/audit`}
    filters={filters}
    parameters={{ hours: null, ...chosenSpan() }}
    caption="Changes, newest first"
    columns={columns}
    empty={<EmptyState title="No matching changes">Remove a filter.</EmptyState>}
  />
);

const filters = [
  { param: 'actor', label: 'Actor', placeholder: 'ada@example.com' },
  { param: 'action', label: 'Action', placeholder: 'key-revoke' },
  { param: 'target', label: 'Target', placeholder: 'acct_…' },
  { param: 'hours', control: <TimeFilter /> },
];

const columns: readonly Column<AuditRow>[] = [
  textColumn('at', 'Time', ({ at }) => <Time at={at} />),
  textColumn('actor', 'Actor', ({ actor }) => <Cut>{actor}</Cut>),
  textColumn('action', 'Action', ({ action }) => <code>{action}</code>),
  textColumn('target', 'Target', ({ target }) => <Target id={target} />),
  textColumn('change', 'Change', (row) => <AuditChange row={row} />),
];

function Target({ id }: { id: string }) {
  if (id.startsWith('acct_')) return <AccountName id={id} />;
  return id.startsWith('key_') ? <Named name={nameOf(id)} id={id} /> : <Cut>{id}</Cut>;
}
