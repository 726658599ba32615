import { useState } from 'preact/hooks';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Section } from '../../components/section.tsx';
import { Select } from '../../components/select.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { HealthStatus } from './health-status.tsx';
import { isOwner, type List, OPERATOR } from './operator-api.ts';
import { roleOptions } from './role-options.ts';
import type { TokenRow } from './rows.ts';

const PATH = `${OPERATOR}/tokens`;

/** The admin tokens, for scripts. Only owners change them. */
export function TokenSection() {
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<TokenRow>();
  const tokens = useQuery<List<TokenRow>>(PATH);
  return (
    <Section
      title="Admin tokens"
      lead="Scripts use the admin API with these tokens."
      actions={isOwner.value && <Button onClick={() => setCreating(true)}>Create token</Button>}
    >
      <Loaded query={tokens}>
        {({ data }) => (
          <Table
            caption="Admin tokens"
            columns={columnsFor(setRevoking)}
            rows={data}
            rowKey={({ id }) => id}
            sortParam="token-sort"
            empty={
              <p class="soft">There is only the first token. The environment or the data directory has it.</p>
            }
          />
        )}
      </Loaded>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
      {revoking && (
        <ConfirmDialog
          title={`Revoke ${revoking.name}?`}
          confirmLabel="Revoke"
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await call('DELETE', `${PATH}/${encodeURIComponent(revoking.id)}`);
            refreshAnswers(PATH);
            toast('The token was revoked.');
          }}
        >
          Scripts with this token are refused at once.
        </ConfirmDialog>
      )}
    </Section>
  );
}

const columnsFor = (onRevoke: (token: TokenRow) => void): readonly Column<TokenRow>[] => [
  {
    key: 'name',
    header: 'Name',
    cell: ({ name, hint }) => (
      <>
        {name} <code>{hint}…</code>
      </>
    ),
  },
  { key: 'role', header: 'Role', cell: ({ role }) => role.replace('_', ' ') },
  {
    key: 'state',
    header: 'State',
    cell: ({ revoked_at }) => <HealthStatus state={revoked_at ? 'revoked' : 'active'} />,
  },
  { key: 'created', header: 'Created', cell: ({ created_at }) => <Time at={created_at} isRelative /> },
  {
    key: 'revoke',
    header: 'Revoke',
    hidesHeader: true,
    cell: (token) =>
      isOwner.value &&
      !token.revoked_at && (
        <Button kind="danger" label={`Revoke ${token.name}`} onClick={() => onRevoke(token)}>
          Revoke
        </Button>
      ),
  },
];

function CreateDialog({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  return (
    <Dialog title="Create token" onClose={onClose} isKept={secret !== undefined}>
      {secret ? (
        <SecretOnce secret={secret} label="Admin token" />
      ) : (
        <Form
          submitLabel="Create token"
          onSubmit={async ({ name, role }) => {
            const made = await call<{ token: string }>('POST', PATH, { name, role });
            refreshAnswers(PATH);
            setSecret(made.token);
          }}
        >
          <Input label="Name" name="name" isRequired />
          <Select label="Role" name="role" options={roleOptions} />
        </Form>
      )}
    </Dialog>
  );
}
