import type { ProfileView } from '../../../src/console/dashboard/profile-schema.ts';
import { queryValue } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { session } from '../../app/session.ts';
import { useAction } from '../../app/use-action.ts';
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/column.ts';
import { buttonColumn, textColumn } from '../../components/columns.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import type { ProfileSectionProps } from './profile-section-props.ts';

type SignInRow = ProfileView['sign_ins'][number];

/** The ways in which the person signs in, and the providers that can be added. */
export function SignIns({ profile, onChanged }: ProfileSectionProps) {
  const { sign_ins: rows } = profile;
  const columns: readonly Column<SignInRow>[] = [
    textColumn('name', 'Name', ({ name }) => name),
    textColumn('since', 'Since', (row) => <Time at={row.created_at} />),
    buttonColumn('actions', 'Actions', (row) =>
      rows.length > 1 ? <RemoveButton row={row} onChanged={onChanged} /> : null,
    ),
  ];
  return (
    <Section title="Ways to sign in" actions={<LinkButtons rows={rows} />}>
      {queryValue('error') && (
        <Notice kind="error" isAlert>
          The sign-in was not added. Its email address must be verified there, and must be {profile.email}.
        </Notice>
      )}
      <Table caption="List of sign-ins" sortParam="sign-ins" rows={rows} columns={columns} />
    </Section>
  );
}

type RemoveProps = Pick<ProfileSectionProps, 'onChanged'> & { row: SignInRow };

const RemoveButton = ({ row: { id, name }, onChanged }: RemoveProps) => (
  <ConfirmButton
    label="Remove"
    about={`Remove ${name}`}
    kind="quiet"
    title={`Remove ${name}?`}
    done={`${name} is removed.`}
    onConfirm={async () => {
      await call('DELETE', `/me/sign-ins/${id}`);
      await onChanged();
    }}
  >
    <p>You can no longer sign in this way.</p>
  </ConfirmButton>
);

function LinkButtons({ rows }: { rows: readonly SignInRow[] }) {
  const link = useAction(async (provider: string) => {
    const { url } = await call<{ url: string }>('POST', '/me/sign-ins', { provider, return_to: '/account' });
    location.assign(url);
  });
  const linkable = session.value?.settings.providers.filter(
    ({ id }) => !rows.some((row) => row.provider === id),
  );
  return (
    <>
      {link.problem && <ProblemNotice problem={link.problem} />}
      {linkable?.map(({ id, name }) => (
        <Button key={id} isRunning={link.isRunning} onClick={() => void link.run(id)}>
          Add {name}
        </Button>
      ))}
    </>
  );
}
