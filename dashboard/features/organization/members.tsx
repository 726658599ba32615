import { useState } from 'preact/hooks';
import type { MembersView } from '../../../src/console/dashboard/organization-schema.ts';
import { call } from '../../app/call.ts';
import { loadSession } from '../../app/session.ts';
import { type Action, useAction } from '../../app/use-action.ts';
import type { Query } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/column.ts';
import { buttonColumn, minor, sortedBy, textColumn } from '../../components/columns.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { List } from '../../components/list.tsx';
import { type MemberRole, memberRoleName, memberRoleOptions } from '../../components/member-roles.ts';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Select } from '../../components/select.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { organizationPath } from './organization-path.ts';
import { ROLES_HINT } from './roles-hint.ts';

type MemberRow = MembersView['data'][number];
type MembersProps = { query: Query<MembersView>; isOwner: boolean };

/** Everybody in the organization. Owners change roles and remove people. */
export function Members({ query, isOwner }: MembersProps) {
  const change = useAction(async ({ id, email, is_you }: MemberRow, role: MemberRole) => {
    try {
      await call('PATCH', organizationPath(`/members/${id}`), { role });
      toast(`${email} is now ${memberRoleName(role).toLowerCase()}.`);
      if (is_you) await loadSession();
    } finally {
      await query.refresh();
    }
  });
  const roleOf = (row: MemberRow) =>
    isOwner ? <RoleSelect row={row} change={change} /> : memberRoleName(row.role);
  const columns: readonly Column<MemberRow>[] = [
    sortedBy(
      ({ name }) => name,
      textColumn('name', 'Name', (row) => <MemberName row={row} />),
    ),
    textColumn('role', 'Role', roleOf),
    minor(textColumn('joined', 'Joined', (row) => <Time at={row.joined_at} />)),
    buttonColumn('actions', 'Actions', (row) =>
      isOwner && !row.is_you ? <RemoveButton member={row} onDone={query.refresh} /> : null,
    ),
  ];
  return (
    <Section title="Members" lead={ROLES_HINT}>
      {change.problem && <ProblemNotice problem={change.problem} />}
      <List query={query} caption="List of members" columns={columns} />
    </Section>
  );
}

/** The choice of a role. Browsers choose at each arrow key, so a dialog asks before an own role changes. */
function RoleSelect({ row, change }: { row: MemberRow; change: Action<[MemberRow, MemberRole]> }) {
  const [wanted, setWanted] = useState<MemberRole>();
  return (
    <>
      <Select
        label={`Role of ${row.email}`}
        hidesLabel
        options={memberRoleOptions}
        value={row.role}
        isDisabled={change.isRunning}
        onChange={(role) => (row.is_you ? setWanted(role) : void change.run(row, role))}
      />
      {wanted && (
        <ConfirmDialog
          title={`Become ${memberRoleName(wanted).toLowerCase()}?`}
          confirmLabel="Change my role"
          onConfirm={() => change.run(row, wanted)}
          onClose={() => setWanted(undefined)}
        >
          <p>Only another owner can make you an owner again.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const MemberName = ({ row }: { row: MemberRow }) => (
  <div>
    <strong>{row.name}</strong> {row.is_you && <Badge tone="accent">You</Badge>}
    <div class="soft">{row.email}</div>
  </div>
);

const RemoveButton = ({ member, onDone }: { member: MemberRow; onDone: () => Promise<void> }) => (
  <ConfirmButton
    label="Remove"
    about={`Remove ${member.email}`}
    kind="quiet"
    title={`Remove ${member.name}?`}
    done={`${member.email} is removed.`}
    onConfirm={async () => {
      await call('DELETE', organizationPath(`/members/${member.id}`));
      await onDone();
    }}
  >
    <p>
      {member.email} can no longer see this organization. Keys that this person made stay valid until they are
      revoked.
    </p>
  </ConfirmButton>
);
