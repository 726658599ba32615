import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { buttonColumn, numberColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { FormButton } from '../../components/form-button.tsx';
import { formatNumber, formatPrice } from '../../components/format.ts';
import { Input } from '../../components/input.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Section } from '../../components/section.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { HealthStatus } from './health-status.tsx';
import { accountPath, type List, mayChange, OPERATOR } from './operator-api.ts';
import type { KeyRow } from './rows.ts';

/** The ledger is below the keys, so a long list of them is not shown at once. */
const SHOWN_KEYS = 10;

/** The keys of an account. */
export function AccountKeys({ accountId }: { accountId: string }) {
  const path = `${accountPath(accountId)}/keys`;
  const [isWhole, setWhole] = useState(false);
  const keys = useQuery<List<KeyRow>>(path);
  return (
    <Section title="Keys" actions={mayChange.value && <CreateButton path={path} />}>
      <Loaded query={keys}>
        {({ data }) => (
          <>
            <Table
              caption="Keys"
              columns={columnsOf(path)}
              rows={isWhole ? data : data.slice(0, SHOWN_KEYS)}
              sortParam="key-sort"
              empty={<p class="soft">The account has no keys.</p>}
            />
            {!isWhole && data.length > SHOWN_KEYS && (
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

const columnsOf = (path: string): readonly Column<KeyRow>[] => [
  textColumn('name', 'Name', ({ name, hint }) => (
    <span class="titled">
      <strong class="cut" title={name ?? 'Unnamed'}>
        {name ?? 'Unnamed'}
      </strong>
      <code>{hint}…</code>
    </span>
  )),
  textColumn('state', 'State', ({ revoked_at, expires_at }) => (
    <HealthStatus
      state={
        revoked_at ? 'revoked' : expires_at && Date.parse(expires_at) < Date.now() ? 'expired' : 'active'
      }
    />
  )),
  numberColumn('cap', 'Monthly cap', ({ monthly_cap_usd }) => formatPrice(monthly_cap_usd)),
  timeColumn('created', 'Created', ({ created_at }) => created_at),
  buttonColumn(
    'revoke',
    'Revoke',
    (key) => mayChange.value && !key.revoked_at && <RevokeButton apiKey={key} path={path} />,
  ),
];

const CreateButton = ({ path }: { path: string }) => (
  <FormButton
    label="Create key"
    refreshes={path}
    onSubmit={async ({ name }, show) => {
      const { key } = await call<{ key: string }>('POST', path, { name: name || null });
      show({ content: <SecretOnce secret={key} label="API key" /> });
    }}
  >
    <Input label="Name" name="name" />
  </FormButton>
);

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
