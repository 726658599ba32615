import { useState } from 'preact/hooks';
import type { InvitationsView, InvitedView } from '../../../src/console/dashboard/organization-schema.ts';
import { call } from '../../app/call.ts';
import { inOrganization } from '../../app/session.ts';
import type { Query } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { roleName } from './roles.ts';

type InvitationRow = InvitationsView['data'][number];

/** The open invitations. Inviting an address again sends another link. */
export function Invitations({ query }: { query: Query<InvitationsView> }) {
  const [isInviting, setInviting] = useState(false);
  const [withdrawn, setWithdrawn] = useState<InvitationRow>();
  const invite = (
    <Button icon="plus" onClick={() => setInviting(true)}>
      Invite somebody
    </Button>
  );
  return (
    <Section title="Invitations" actions={invite}>
      <Loaded query={query}>
        {({ data }) => (
          <Table
            caption="List of invitations"
            sortParam="invitations"
            rows={data}
            rowKey={({ id }) => id}
            empty={
              <EmptyState title="No open invitations">Invited people appear here until they join.</EmptyState>
            }
            columns={[
              { key: 'email', header: 'Email', cell: ({ email }) => email },
              { key: 'role', header: 'Role', cell: ({ role }) => roleName(role) },
              { key: 'by', header: 'Invited by', isMinor: true, cell: ({ invited_by }) => invited_by },
              { key: 'expires', header: 'Expires', cell: (row) => <Time at={row.expires_at} isRelative /> },
              {
                ...{ key: 'actions', header: 'Actions', hidesHeader: true },
                cell: (row) => (
                  <Button
                    kind="quiet"
                    label={`Withdraw the invitation of ${row.email}`}
                    onClick={() => setWithdrawn(row)}
                  >
                    Withdraw
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onInvited={async (invited: InvitedView) => {
            if (invited.mailed) toast(`The invitation is on its way to ${invited.email}.`);
            else toast(`${invited.email} is invited. An operator hands the link over.`);
            await query.refresh();
          }}
        />
      )}
      {withdrawn && (
        <ConfirmDialog
          title="Withdraw the invitation?"
          confirmLabel="Withdraw"
          onClose={() => setWithdrawn(undefined)}
          onConfirm={async () => {
            await call('DELETE', inOrganization(`/invitations/${withdrawn.id}`)!);
            await query.refresh();
          }}
        >
          <p>The link that {withdrawn.email} got no longer works.</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
