import type { InvitationsView, InvitedView } from '../../../src/console/dashboard/organization-schema.ts';
import { call } from '../../app/call.ts';
import { session } from '../../app/session.ts';
import type { Query } from '../../app/use-query.ts';
import type { Column } from '../../components/column.ts';
import { buttonColumn, minor, textColumn, timeColumn } from '../../components/columns.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { EmailInput } from '../../components/email-input.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FormButton } from '../../components/form-button.tsx';
import { List } from '../../components/list.tsx';
import { memberRoleName, memberRoleOptions } from '../../components/member-roles.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Select } from '../../components/select.tsx';
import { toast } from '../../components/toasts.tsx';
import { organizationPath } from './organization-path.ts';
import { ROLES_HINT } from './roles-hint.ts';

type InvitationRow = InvitationsView['data'][number];

/** The open invitations. Inviting an address again sends another link. */
export const Invitations = ({ query }: { query: Query<InvitationsView> }) => (
  <Section title="Invitations" actions={<InviteButton onInvited={query.refresh} />}>
    <List
      query={query}
      caption="List of invitations"
      sortParam="invitations"
      columns={columns(query.refresh)}
      empty={<EmptyState title="No open invitations">Invited people appear here until they join.</EmptyState>}
    />
  </Section>
);

const columns = (refresh: () => Promise<void>): readonly Column<InvitationRow>[] => [
  textColumn('email', 'Email', ({ email }) => email),
  textColumn('role', 'Role', ({ role }) => memberRoleName(role)),
  minor(textColumn('by', 'Invited by', ({ invited_by }) => invited_by)),
  timeColumn('expires', 'Expires', ({ expires_at }) => expires_at),
  buttonColumn('actions', 'Actions', ({ id, email }) => (
    <ConfirmButton
      label="Withdraw"
      about={`Withdraw the invitation of ${email}`}
      kind="quiet"
      title="Withdraw the invitation?"
      onConfirm={async () => {
        await call('DELETE', organizationPath(`/invitations/${id}`));
        await refresh();
      }}
    >
      <p>The link that {email} got no longer works.</p>
    </ConfirmButton>
  )),
];

/** Asks for the address and the role of somebody new. */
const InviteButton = ({ onInvited }: { onInvited: () => Promise<void> }) => (
  <FormButton
    label="Invite somebody"
    icon="plus"
    submitLabel="Invite"
    onSubmit={async ({ email, role }) => {
      const order = { email: email?.trim(), role };
      const invited = await call<InvitedView>('POST', organizationPath('/invitations'), order);
      if (invited.mailed) toast(`The invitation is on its way to ${invited.email}.`);
      else toast(`${invited.email} is invited. An operator hands the link over.`);
      await onInvited();
    }}
  >
    {session.value?.settings.mail === false && (
      <Notice title="This server sends no mail.">
        An operator of the server makes the link and gives it to the person.
      </Notice>
    )}
    <EmailInput autocomplete="off" hasFocus />
    <Select label="Role" name="role" options={memberRoleOptions} value="developer" hint={ROLES_HINT} />
  </FormButton>
);
