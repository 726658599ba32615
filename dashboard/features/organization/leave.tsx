import type { MembersView } from '../../../src/console/dashboard/organization-schema.ts';
import { call } from '../../app/call.ts';
import { loadSession, organization } from '../../app/session.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Section } from '../../components/section.tsx';
import { organizationPath } from './organization-path.ts';

/** The way out. The last owner must make somebody else an owner first. */
export function Leave({ members = [] }: { members: MembersView['data'] | undefined }) {
  const you = members.find(({ is_you }) => is_you);
  if (!you) return null;
  const owners = members.filter(({ role }) => role === 'owner');
  const isLastOwner = you.role === 'owner' && owners.length === 1;
  const lead = isLastOwner
    ? 'You are the only owner. Make somebody else an owner before you leave.'
    : 'After you leave, you cannot see this organization. An owner can invite you again.';
  return (
    <Section title="Leave" lead={lead} isCard>
      <div>
        <ConfirmButton
          label="Leave the organization"
          kind="danger"
          isDisabled={isLastOwner}
          title={`Leave ${organization.value?.name}?`}
          confirmLabel="Leave"
          done="You have left the organization."
          onConfirm={async () => {
            await call('DELETE', organizationPath(`/members/${you.id}`));
            await loadSession();
          }}
        >
          <p>Keys that you made stay valid until somebody revokes them.</p>
        </ConfirmButton>
      </div>
    </Section>
  );
}
