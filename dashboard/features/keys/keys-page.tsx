import type { KeyList, ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { withQuery } from '../../app/address.ts';
import { hasRole, inOrganization, organization } from '../../app/session.ts';
import { LinkButton } from '../../components/button.tsx';
import type { Column } from '../../components/column.ts';
import { minor, textColumn, timeColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Filter, ListPage } from '../../components/list-page.tsx';
import { Notice } from '../../components/notice.tsx';
import { Time } from '../../components/time.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { KeyRules, KeySpent } from './key-rules.tsx';
import { KeyState } from './key-state.tsx';

const columns: readonly Column<ListedKey>[] = [
  textColumn('name', 'Name', (key) => (
    <span class="titled">
      <a class="cut" title={key.name ?? undefined} href={withQuery({ key: key.id })}>
        {key.name ?? 'Unnamed key'}
      </a>
      <code>{key.hint}…</code>
    </span>
  )),
  textColumn('state', 'State', (key) => (
    <span class="titled">
      <KeyState apiKey={key} />
      {key.expires_at && key.state !== 'revoked' && (
        <span class="soft small">
          {key.state === 'expired' ? 'Ended' : 'Expires'} <Time at={key.expires_at} isRelative />
        </span>
      )}
    </span>
  )),
  textColumn('used', 'Last used', ({ last_used_at }) =>
    last_used_at ? <Time at={last_used_at} isRelative /> : <span class="soft">Never</span>,
  ),
  textColumn('spent', 'This month', (key) => <KeySpent apiKey={key} />),
  textColumn('rules', 'Rules', (key) => <KeyRules apiKey={key} />),
  minor(timeColumn('created', 'Created', (key) => key.created_at)),
];

const createLink = () => (
  <LinkButton kind="primary" icon="plus" href={withQuery({ do: 'create' })}>
    Create key
  </LinkButton>
);

const withCount = (label: string, count: number | undefined) =>
  count === undefined ? label : `${label} (${count})`;

const filters: readonly Filter<KeyList>[] = [
  { param: 'q', label: 'Search', placeholder: 'Name or prefix' },
  {
    param: 'state',
    label: 'Show',
    options: (list) => [
      { value: 'active', label: withCount('Active', list?.counts.active) },
      { value: 'ended', label: withCount('Expired and revoked', list?.counts.ended) },
      { value: 'all', label: 'All' },
    ],
  },
];

/** The keys of the organization. The address names the filter and the open dialog. */
export function KeysPage() {
  const mayChange = hasRole('developer') && organization.value?.status !== 'closed';
  return (
    <ListPage<ListedKey, KeyList>
      title="Keys"
      lead="A key lets a client call the API for this organization."
      actions={mayChange && createLink()}
      path={inOrganization('/keys')}
      filters={filters}
      caption="Keys"
      columns={columns}
      empty={({ counts }) => <NoKeys isFirst={counts.active + counts.ended === 0} mayChange={mayChange} />}
    >
      {organization.value?.status === 'suspended' && (
        <Notice kind="warning" title="The organization is suspended">
          Its keys are refused until an operator ends the suspension.
        </Notice>
      )}
      <KeyDialog mayChange={mayChange} />
    </ListPage>
  );
}

const NoKeys = ({ isFirst, mayChange }: { isFirst: boolean; mayChange: boolean }) =>
  isFirst ? (
    <EmptyState title="No keys yet" action={mayChange && createLink()}>
      {mayChange
        ? 'A new key comes with settings for common clients.'
        : 'Developers and owners of the organization can create keys.'}
    </EmptyState>
  ) : (
    <EmptyState title="No key fits">Change the search or the filter.</EmptyState>
  );
