import { useState } from 'preact/hooks';
import type { NewInvitationView } from '../../../src/console/admin/people-view.ts';
import { call } from '../../app/call.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Select } from '../../components/select.tsx';

type AccountsView = { data: { id: string; name: string }[] };

const roles = [
  { value: 'owner', label: 'Owner' },
  { value: 'developer', label: 'Developer' },
  { value: 'viewer', label: 'Viewer' },
];

/** Invites an address to an account. Without mail it shows the link, once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const accounts = useQuery<AccountsView>('/operator/accounts?limit=1000');
  const [invited, setInvited] = useState<NewInvitationView>();
  return (
    <Dialog title="Invite somebody" onClose={onClose} isKept={invited?.link != null}>
      {invited && <Invited invitation={invited} onClose={onClose} />}
      {!invited && (
        <Loaded query={accounts}>
          {({ data }) => (
            <Form
              submitLabel="Invite"
              actions={<Button onClick={onClose}>Cancel</Button>}
              onSubmit={async ({ account = '', email, role }) => {
                const path = `/operator/accounts/${encodeURIComponent(account)}/invitations`;
                setInvited(await call<NewInvitationView>('POST', path, { email: email?.trim(), role }));
              }}
            >
              <Input label="Email" name="email" type="email" autocomplete="off" isRequired hasFocus />
              <Select
                label="Account"
                name="account"
                value={data[0]?.id}
                options={data.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))}
              />
              <Select label="Role" name="role" options={roles} value="owner" />
            </Form>
          )}
        </Loaded>
      )}
    </Dialog>
  );
}

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
