import type { InvitedView } from '../../../src/console/dashboard/organization-schema.ts';
import { call } from '../../app/call.ts';
import { inOrganization, session } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { Notice } from '../../components/notice.tsx';
import { Select } from '../../components/select.tsx';
import { ROLES_HINT, roleOptions } from './roles.ts';

type InviteProps = { onClose: () => void; onInvited: (invited: InvitedView) => Promise<void> };

/** Asks for the address and the role of somebody new. */
export const InviteDialog = ({ onClose, onInvited }: InviteProps) => (
  <Dialog title="Invite somebody" onClose={onClose}>
    <Form
      submitLabel="Invite"
      actions={<Button onClick={onClose}>Cancel</Button>}
      onSubmit={async ({ email, role }) => {
        await onInvited(
          await call<InvitedView>('POST', inOrganization('/invitations')!, { email: email?.trim(), role }),
        );
        onClose();
      }}
    >
      {session.value?.settings.mail === false && (
        <Notice title="This server sends no mail.">
          An operator of the server makes the link and gives it to the person.
        </Notice>
      )}
      <Input label="Email" name="email" type="email" autocomplete="off" isRequired hasFocus />
      <Select label="Role" name="role" options={roleOptions} value="developer" hint={ROLES_HINT} />
    </Form>
  </Dialog>
);
