import { queryValue, withParameters } from '../../app/address.ts';
import { useQuery } from '../../app/use-query.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Filters, TextFilter } from '../../components/filters.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { type List, OPERATOR } from './operator-api.ts';
import type { AuditRow } from './rows.ts';

/** Who changed what, and when. */
export function AuditPage() {
  const parameters = Object.fromEntries(
    ['actor', 'action', 'target', 'since', 'until', 'after'].map((name) => [name, queryValue(name)]),
  );
  const list = useQuery<List<AuditRow>>(withParameters(`${OPERATOR}/audit`, parameters));
  return (
    <>
      <PageHeader
        title="Audit log"
        lead="The log has every change that a person, a token or a command has made, every sign-in, and each reading of recorded content."
      />
      <Filters>
        <TextFilter param="actor" label="Actor" placeholder="ada@example.com" />
        <TextFilter param="action" label="Action" placeholder="key-revoke" />
        <TextFilter param="target" label="Target" placeholder="acct_…" />
        <TextFilter param="since" label="Since" placeholder="2026-11-01T00:00:00Z" />
        <TextFilter param="until" label="Until" placeholder="2026-11-30T23:59:59Z" />
      </Filters>
      <Loaded query={list}>
        {({ data, has_more }) => (
          <>
            <Table
              caption="Changes, newest first"
              columns={columns}
              rows={data}
              rowKey={({ id }) => id}
              empty={<EmptyState title="No matching changes">Remove a filter.</EmptyState>}
            />
            <Pagination next={has_more ? data.at(-1)?.id : null} />
          </>
        )}
      </Loaded>
    </>
  );
}

const columns: readonly Column<AuditRow>[] = [
  { key: 'at', header: 'Time', cell: ({ at }) => <Time at={at} /> },
  { key: 'actor', header: 'Actor', cell: ({ actor }) => actor },
  { key: 'action', header: 'Action', cell: ({ action }) => <code>{action}</code> },
  {
    key: 'target',
    header: 'Target',
    cell: ({ target }) =>
      target.startsWith('acct_') ? <a href={`/operator/accounts/${target}`}>{target}</a> : target,
  },
  { key: 'change', header: 'Change', cell: (row) => <Change row={row} /> },
];

/** The members that differ. Whole records stand behind a disclosure. */
function Change({ row: { before, after, changes } }: { row: AuditRow }) {
  const [old, now] = [recordOf(before), recordOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  );
  if (names.length === 0)
    return <span class="soft">{changes > 1 ? `none after ${changes} changes` : 'none'}</span>;
  return (
    <details>
      <summary>
        {names.slice(0, 3).join(', ')}
        {names.length > 3 && ` and ${names.length - 3} more`}
        {changes > 1 && ` (${changes} changes)`}
      </summary>
      <dl class="facts">
        {names.map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {name in old && (
                <>
                  <del>{textOf(old[name])}</del>{' '}
                </>
              )}
              {name in now && <ins>{textOf(now[name])}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)
    : value == null
      ? {}
      : { value };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
