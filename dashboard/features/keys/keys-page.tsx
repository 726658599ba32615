import type { KeyList, ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { queryValue, withParameters, withQuery } from '../../app/address.ts';
import { hasRole, inOrganization, organization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { KeyRules, KeySpent } from './key-rules.tsx';
import { KeyState } from './key-state.tsx';

const columns: readonly Column<ListedKey>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: (key) => (
      <span class="titled">
        <a href={withQuery({ key: key.id })}>{key.name ?? 'Unnamed key'}</a>
        <code>{key.hint}…</code>
      </span>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: (key) => (
      <span class="titled">
        <KeyState of={key} />
        {key.expires_at && key.state !== 'revoked' && (
          <span class="soft small">
            {key.state === 'expired' ? 'Ended' : 'Expires'} <Time at={key.expires_at} isRelative />
          </span>
        )}
      </span>
    ),
  },
  {
    key: 'used',
    header: 'Last used',
    cell: ({ last_used_at }) =>
      last_used_at ? <Time at={last_used_at} isRelative /> : <span class="soft">Never</span>,
  },
  { key: 'spent', header: 'This month', cell: (key) => <KeySpent of={key} /> },
  { key: 'rules', header: 'Rules', cell: (key) => <KeyRules of={key} /> },
  {
    key: 'created',
    header: 'Created',
    cell: (key) => <Time at={key.created_at} isRelative />,
    isMinor: true,
  },
];

const createLink = () => (
  <LinkButton kind="primary" icon="plus" href={withQuery({ do: 'create' })}>
    Create key
  </LinkButton>
);

/** The keys of the organization. The address names the filter and the open dialog. */
export function KeysPage() {
  const mayChange = hasRole('developer') && organization.value?.status !== 'closed';
  const filters = { state: queryValue('state'), q: queryValue('q'), after: queryValue('after') };
  const query = useQuery<KeyList>(inOrganization(withParameters('/keys', filters)));
  const counts = query.data?.counts;
  const withCount = (label: string, count: number | undefined) =>
    count === undefined ? label : `${label} (${count})`;
  return (
    <>
      <PageHeader
        title="Keys"
        lead="A key lets a client call the API for this organization."
        actions={mayChange && createLink()}
      />
      {organization.value?.status === 'suspended' && (
        <Notice kind="warning" title="The organization is suspended">
          Its keys are refused until an operator ends the suspension.
        </Notice>
      )}
      <Filters>
        <TextFilter param="q" label="Search" placeholder="Name or prefix" />
        <ChoiceFilter
          param="state"
          label="Show"
          options={[
            { value: 'active', label: withCount('Active', counts?.active) },
            { value: 'ended', label: withCount('Expired and revoked', counts?.ended) },
            { value: 'all', label: 'All' },
          ]}
        />
      </Filters>
      <Loaded query={query}>
        {({ data, next, counts: { active, ended } }) => (
          <>
            <Table
              caption="Keys"
              columns={columns}
              rows={data}
              rowKey={({ id }) => id}
              empty={<NoKeys isFirst={active + ended === 0} mayChange={mayChange} />}
            />
            <Pagination next={next} />
          </>
        )}
      </Loaded>
      <KeyDialog mayChange={mayChange} />
    </>
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
