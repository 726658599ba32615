import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { inOrganization, loadSession, organization } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Section } from '../../components/section.tsx';
import { toast } from '../../components/toasts.tsx';
import type { MemberRow } from './roles.ts';

/** The way out. The last owner must make somebody else an owner first. */
export function Leave({ members = [] }: { members: readonly MemberRow[] | undefined }) {
  const [isAsking, setAsking] = useState(false);
  const own = members.find(({ is_you }) => is_you);
  if (!own) return null;
  const owners = members.filter(({ role }) => role === 'owner');
  const isLastOwner = own.role === 'owner' && owners.length === 1;
  const lead = isLastOwner
    ? 'You are the only owner. Make somebody else an owner before you leave.'
    : 'After you leave, you cannot see this organization. An owner can invite you again.';
  return (
    <Section title="Leave" lead={lead} isCard>
      <div>
        <Button kind="danger" isDisabled={isLastOwner} onClick={() => setAsking(true)}>
          Leave the organization
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Leave ${organization.value?.name}?`}
          confirmLabel="Leave"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await call('DELETE', inOrganization(`/members/${own.id}`)!);
            toast('You have left the organization.');
            await loadSession();
          }}
        >
          <p>Keys that you made stay valid until somebody revokes them.</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
