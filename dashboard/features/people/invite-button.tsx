import type { NewInvitationView } from '../../../src/console/admin/people-view.ts';
import { call } from '../../app/call.ts';
import { Button } from '../../components/button.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import { EmailInput } from '../../components/email-input.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { memberRoleOptions } from '../../components/member-roles.ts';
import { Notice } from '../../components/notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Select } from '../../components/select.tsx';
import { AccountField } from './account-field.tsx';

/** Invites an address to an account. Without mail the link is shown, once. */
export const InviteButton = () => (
  <DialogButton label="Invite somebody" kind="primary" icon="plus">
    {(close) => <InviteDialog onClose={close} />}
  </DialogButton>
);

const InviteDialog = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title="Invite somebody"
    submitLabel="Invite"
    onClose={onClose}
    onSubmit={async ({ account = '', email, role }, show) => {
      const path = `/operator/accounts/${encodeURIComponent(account)}/invitations`;
      const invitation = await call<NewInvitationView>('POST', path, { email: email?.trim(), role });
      show({ content: <Invited invitation={invitation} onClose={onClose} /> });
    }}
  >
    <EmailInput autocomplete="off" hasFocus />
    <AccountField />
    <Select label="Role" name="role" options={memberRoleOptions} value="owner" />
  </FormDialog>
);

const Invited = ({ invitation, onClose }: { invitation: NewInvitationView; onClose: () => void }) => (
  <>
    {invitation.link === null ? (
      <Notice kind="success">The invitation is on its way to {invitation.email}.</Notice>
    ) : (
      <SecretOnce secret={invitation.link} label={`The link for ${invitation.email}.`} />
    )}
    <div class="form-actions">
      <Button kind="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  </>
);
