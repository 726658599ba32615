import { call } from '../../app/call.ts';
import { useQuery } from '../../app/use-query.ts';
import type { Column } from '../../components/column.ts';
import { buttonColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { FormButton } from '../../components/form-button.tsx';
import { Input } from '../../components/input.tsx';
import { List } from '../../components/list.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Section } from '../../components/section.tsx';
import { Select } from '../../components/select.tsx';
import { HealthStatus } from './health-status.tsx';
import { isOwner, type ListOf, OPERATOR } from './operator-api.ts';
import { roleOptions } from './role-options.ts';
import type { NewToken, TokenRow } from './rows.ts';

const PATH = `${OPERATOR}/tokens`;

/** The admin tokens, for scripts. Only owners change them. */
export const TokenSection = () => (
  <Section
    title="Admin tokens"
    lead="Scripts use the admin API with these tokens."
    actions={isOwner.value && <CreateButton />}
  >
    <List
      query={useQuery<ListOf<TokenRow>>(PATH)}
      caption="Admin tokens"
      columns={columns}
      sortParam="token-sort"
      empty={<p class="soft">There is only the first token. The environment or the data directory has it.</p>}
    />
  </Section>
);

const columns: readonly Column<TokenRow>[] = [
  textColumn('name', 'Name', ({ name, hint }) => (
    <>
      {name} <code>{hint}…</code>
    </>
  )),
  textColumn('role', 'Role', ({ role }) => role.replace('_', ' ')),
  textColumn('state', 'State', ({ revoked_at }) => (
    <HealthStatus state={revoked_at ? 'revoked' : 'active'} />
  )),
  timeColumn('created', 'Created', ({ created_at }) => created_at),
  buttonColumn(
    'revoke',
    'Revoke',
    (token) =>
      isOwner.value &&
      !token.revoked_at && (
        <ConfirmButton
          label="Revoke"
          about={`Revoke ${token.name}`}
          kind="danger"
          title={`Revoke ${token.name}?`}
          refreshes={PATH}
          done="The token was revoked."
          onConfirm={() => call('DELETE', `${PATH}/${encodeURIComponent(token.id)}`)}
        >
          Scripts with this token are refused at once.
        </ConfirmButton>
      ),
  ),
];

const CreateButton = () => (
  <FormButton
    label="Create token"
    refreshes={PATH}
    onSubmit={async ({ name, role }, show) => {
      const { token } = await call<NewToken>('POST', PATH, { name, role });
      show({ content: <SecretOnce secret={token} label="Admin token" /> });
    }}
  >
    <Input label="Name" name="name" isRequired />
    <Select label="Role" name="role" options={roleOptions} />
  </FormButton>
);
