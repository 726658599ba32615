import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { mayOperate } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/column.ts';
import { buttonColumn, minor, numberColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { formatNumber, formatPrice } from '../../components/format.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Cut } from '../../components/named.tsx';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { CreateKeyButton } from './create-key-button.tsx';
import { HealthStatus } from './health-status.tsx';
import { accountPath, type ListOf, OPERATOR } from './operator-api.ts';
import type { KeyRow, MemberRow } from './rows.ts';

/** The ledger is below the keys, so a long list of them is not shown at once. */
const MAX_SHOWN = 10;

/** The keys of an account. Operators create and revoke them. */
export function AccountKeys({ accountId }: { accountId: string }) {
  const path = `${accountPath(accountId)}/keys`;
  const [isWhole, setWhole] = useState(false);
  const keys = useQuery<ListOf<KeyRow>>(path);
  const members = useQuery<ListOf<MemberRow>>(`${accountPath(accountId)}/members`).data?.data;
  return (
    <Section title="Keys" actions={mayOperate.value && <CreateKeyButton path={path} members={members} />}>
      <Loaded query={keys}>
        {({ data }) => (
          <>
            <Table
              caption="Keys"
              columns={columnsOf(path, members)}
              rows={isWhole ? data : data.slice(0, MAX_SHOWN)}
              sortParam="key-sort"
              empty={<p class="soft">The account has no keys.</p>}
            />
            {!isWhole && data.length > MAX_SHOWN && (
              <p>
                <Button onClick={() => setWhole(true)}>Show all {formatNumber(data.length)} keys</Button>
              </p>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** A person who has left the account is shown by the id. */
const ownerOf = ({ person_id: id }: KeyRow, members: readonly MemberRow[] = []): string => {
  const member = members.find((candidate) => candidate.id === id);
  return member ? member.name || member.email : (id ?? '');
};

function stateOf({ revoked_at, expires_at }: KeyRow): 'active' | 'expired' | 'revoked' {
  if (revoked_at) return 'revoked';
  return expires_at && Date.parse(expires_at) < Date.now() ? 'expired' : 'active';
}

const columnsOf = (path: string, members: readonly MemberRow[] | undefined): readonly Column<KeyRow>[] => [
  textColumn('name', 'Name', ({ name, hint }) => (
    <span class="titled">
      <strong class="cut" title={name ?? 'Unnamed'}>
        {name ?? 'Unnamed'}
      </strong>
      <code>{hint}…</code>
    </span>
  )),
  textColumn('state', 'State', (key) => <HealthStatus state={stateOf(key)} />),
  minor(textColumn('owner', 'Belongs to', (key) => <Cut>{ownerOf(key, members)}</Cut>)),
  minor(textColumn('tags', 'Tags', ({ tags }) => <Cut>{tags.join(', ')}</Cut>)),
  numberColumn('cap', 'Monthly cap', ({ monthly_cap_usd }) => formatPrice(monthly_cap_usd)),
  timeColumn('created', 'Created', ({ created_at }) => created_at),
  buttonColumn(
    'revoke',
    'Revoke',
    (key) => mayOperate.value && !key.revoked_at && <RevokeButton apiKey={key} path={path} />,
  ),
];

const RevokeButton = ({ apiKey: { id, name, hint }, path }: { apiKey: KeyRow; path: string }) => (
  <ConfirmButton
    label="Revoke"
    about={`Revoke ${name ?? hint}`}
    title={`Revoke ${name ?? hint}?`}
    refreshes={path}
    done="The key was revoked."
    onConfirm={() => call('DELETE', `${OPERATOR}/keys/${encodeURIComponent(id)}`)}
  >
    Requests with this key are refused at once. This cannot be undone.
  </ConfirmButton>
);
