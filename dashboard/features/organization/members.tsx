import { useState } from 'preact/hooks';
import type { MembersView } from '../../../src/console/dashboard/organization-schema.ts';
import { call } from '../../app/call.ts';
import { inOrganization, loadSession } from '../../app/session.ts';
import { useAction } from '../../app/use-action.ts';
import type { Query } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Select } from '../../components/select.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { type MemberRow, ROLES_HINT, type Role, roleName, roleOptions } from './roles.ts';

type MembersProps = { query: Query<MembersView>; isOwner: boolean };

/** Everybody in the organization. Owners change roles and remove people. */
export function Members({ query, isOwner }: MembersProps) {
  const [leaving, setLeaving] = useState<MemberRow>();
  const change = useAction(async ({ id, email, is_you }: MemberRow, role: Role) => {
    try {
      await call('PATCH', inOrganization(`/members/${id}`)!, { role });
      toast(`${email} is now ${roleName(role).toLowerCase()}.`);
      if (is_you) await loadSession();
    } finally {
      await query.refresh();
    }
  });
  return (
    <Section title="Members" lead={ROLES_HINT}>
      {change.problem && <ProblemNotice problem={change.problem} />}
      <Loaded query={query}>
        {({ data }) => (
          <Table
            caption="List of members"
            rows={data}
            rowKey={({ id }) => id}
            columns={[
              {
                key: 'name',
                header: 'Name',
                sortValue: ({ name }) => name,
                cell: (row) => <Who row={row} />,
              },
              {
                ...{ key: 'role', header: 'Role' },
                cell: (row) =>
                  isOwner ? (
                    <Select
                      label={`Role of ${row.email}`}
                      hidesLabel
                      options={roleOptions}
                      value={row.role}
                      isDisabled={change.isRunning}
                      onChange={(role) => void change.run(row, role as Role)}
                    />
                  ) : (
                    roleName(row.role)
                  ),
              },
              {
                ...{ key: 'joined', header: 'Joined', isMinor: true },
                cell: (row) => <Time at={row.joined_at} />,
              },
              {
                ...{ key: 'actions', header: 'Actions', hidesHeader: true },
                cell: (row) =>
                  isOwner &&
                  !row.is_you && (
                    <Button kind="quiet" label={`Remove ${row.email}`} onClick={() => setLeaving(row)}>
                      Remove
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {leaving && (
        <RemoveDialog member={leaving} onClose={() => setLeaving(undefined)} onDone={query.refresh} />
      )}
    </Section>
  );
}

const Who = ({ row }: { row: MemberRow }) => (
  <div>
    <strong>{row.name}</strong> {row.is_you && <Badge tone="accent">You</Badge>}
    <div class="soft">{row.email}</div>
  </div>
);

type RemoveProps = { member: MemberRow; onClose: () => void; onDone: () => Promise<void> };

const RemoveDialog = ({ member, onClose, onDone }: RemoveProps) => (
  <ConfirmDialog
    title={`Remove ${member.name}?`}
    confirmLabel="Remove"
    onClose={onClose}
    onConfirm={async () => {
      await call('DELETE', inOrganization(`/members/${member.id}`)!);
      toast(`${member.email} is removed.`);
      await onDone();
    }}
  >
    <p>
      {member.email} can no longer see this organization. Keys that this person made stay valid until they are
      revoked.
    </p>
  </ConfirmDialog>
);
