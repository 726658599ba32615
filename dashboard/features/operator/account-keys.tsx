import { useState } from 'preact/hooks';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { formatNumber, formatPrice } from '../../components/format.ts';
import { Input } from '../../components/input.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Section } from '../../components/section.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { HealthStatus } from './health-status.tsx';
import { accountPath, type List, mayChange, OPERATOR } from './operator-api.ts';
import type { KeyRow } from './rows.ts';

/** The ledger is below the keys, so a long list of them is not shown at once. */
const SHOWN_KEYS = 10;

/** The keys of an account. */
export function AccountKeys({ accountId }: { accountId: string }) {
  const path = `${accountPath(accountId)}/keys`;
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<KeyRow>();
  const [isWhole, setWhole] = useState(false);
  const keys = useQuery<List<KeyRow>>(path);
  return (
    <Section
      title="Keys"
      actions={mayChange.value && <Button onClick={() => setCreating(true)}>Create key</Button>}
    >
      <Loaded query={keys}>
        {({ data }) => (
          <>
            <Table
              caption="Keys"
              columns={columnsFor(setRevoking)}
              rows={isWhole ? data : data.slice(0, SHOWN_KEYS)}
              rowKey={({ id }) => id}
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
      {isCreating && <CreateDialog path={path} onClose={() => setCreating(false)} />}
      {revoking && <RevokeDialog apiKey={revoking} path={path} onClose={() => setRevoking(undefined)} />}
    </Section>
  );
}

const columnsFor = (onRevoke: (key: KeyRow) => void): readonly Column<KeyRow>[] => [
  {
    key: 'name',
    header: 'Name',
    cell: ({ name, hint }) => (
      <span class="titled">
        <strong>{name ?? 'Unnamed'}</strong>
        <code>{hint}…</code>
      </span>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ revoked_at, expires_at }) => (
      <HealthStatus
        state={
          revoked_at ? 'revoked' : expires_at && Date.parse(expires_at) < Date.now() ? 'expired' : 'active'
        }
      />
    ),
  },
  {
    key: 'cap',
    header: 'Monthly cap',
    isNumber: true,
    cell: ({ monthly_cap_usd }) => formatPrice(monthly_cap_usd),
  },
  { key: 'created', header: 'Created', cell: ({ created_at }) => <Time at={created_at} isRelative /> },
  {
    key: 'revoke',
    header: 'Revoke',
    hidesHeader: true,
    cell: (key) =>
      mayChange.value &&
      !key.revoked_at && (
        <Button label={`Revoke ${key.name ?? key.hint}`} onClick={() => onRevoke(key)}>
          Revoke
        </Button>
      ),
  },
];

function CreateDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  return (
    <Dialog title="Create key" onClose={onClose} isKept={secret !== undefined}>
      {secret ? (
        <SecretOnce secret={secret} label="API key" />
      ) : (
        <Form
          submitLabel="Create key"
          onSubmit={async ({ name }) => {
            const made = await call<{ key: string }>('POST', path, { name: name || null });
            refreshAnswers(path);
            setSecret(made.key);
          }}
        >
          <Input label="Name" name="name" />
        </Form>
      )}
    </Dialog>
  );
}

const RevokeDialog = ({ apiKey, path, onClose }: { apiKey: KeyRow; path: string; onClose: () => void }) => (
  <ConfirmDialog
    title={`Revoke ${apiKey.name ?? apiKey.hint}?`}
    confirmLabel="Revoke"
    onClose={onClose}
    onConfirm={async () => {
      await call('DELETE', `${OPERATOR}/keys/${encodeURIComponent(apiKey.id)}`);
      refreshAnswers(path);
      toast('The key was revoked.');
    }}
  >
    Requests with this key are refused at once. This cannot be undone.
  </ConfirmDialog>
);
