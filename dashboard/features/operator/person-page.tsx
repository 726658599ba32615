import { useState } from 'preact/hooks';
import { navigate } from '../../app/address.ts';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import type { PageProps } from '../../app/page.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Section } from '../../components/section.tsx';
import { Select } from '../../components/select.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { isOwner, mayChange, OPERATOR } from './operator-api.ts';
import { roleOptions } from './role-options.ts';
import type { PersonRow } from './rows.ts';

const PATH = `${OPERATOR}/people`;

/** One person: organizations, role as an operator, ways to sign in, and links that no mail could bring. */
export function PersonPage({ params }: PageProps) {
  const path = `${PATH}/${encodeURIComponent(params.id!)}`;
  const person = useQuery<PersonRow>(path);
  return (
    <>
      <PageHeader
        title={person.data?.name ?? 'Person'}
        lead={person.data?.email}
        back={{ href: '/operator/people', label: 'People' }}
      />
      <Loaded query={person}>
        {(data) => (
          <>
            <Section title="Person" isCard>
              <PersonFacts person={data} />
            </Section>
            {mayChange.value && <Links person={data} path={path} />}
            {isOwner.value && <Changes person={data} path={path} />}
          </>
        )}
      </Loaded>
    </>
  );
}

const PersonFacts = ({ person }: { person: PersonRow }) => (
  <Facts
    facts={[
      { label: 'Email', value: `${person.email}${person.email_verified ? ', verified' : ', not verified'}` },
      { label: 'Role as an operator', value: person.operator_role?.replace('_', ' ') ?? 'none' },
      {
        label: 'Ways to sign in',
        value: person.sign_ins.map((one) => (one === 'credential' ? 'password' : one)).join(', ') || 'none',
      },
      { label: 'Second factor', value: person.two_factor ? 'on' : 'off' },
      { label: 'Sessions', value: String(person.sessions) },
      { label: 'Since', value: <Time at={person.created_at} /> },
      {
        label: 'Organizations',
        value: person.organizations.map(({ account_id, role }) => (
          <p key={account_id}>
            <a href={`/operator/accounts/${account_id}`}>{account_id}</a>, {role}
          </p>
        )),
      },
    ]}
  />
);

type Parts = { person: PersonRow; path: string };

const links = { verification: 'Confirm the address', reset: 'Choose another password' } as const;

function Links({ path }: Parts) {
  const [link, setLink] = useState<string>();
  const make = async (kind: string) =>
    setLink((await call<{ link: string }>('POST', `${path}/links`, { kind })).link);
  return (
    <Section
      title="Links"
      lead="Without mail, give the person a link yourself. It is shown once, and it ends soon."
    >
      <div class="actions">
        {Object.entries(links).map(([kind, label]) => (
          <Button key={kind} onClick={() => void make(kind).catch((error: Error) => toast(error.message))}>
            {label}
          </Button>
        ))}
      </div>
      {link && (
        <Dialog title="Link for the person" onClose={() => setLink(undefined)}>
          <SecretOnce secret={link} label="Link" />
        </Dialog>
      )}
    </Section>
  );
}

type Asked = 'role' | 'sessions' | 'second-factor' | 'remove';

const removals = {
  sessions: {
    title: 'End all sessions?',
    label: 'End all sessions',
    text: 'The person is signed out everywhere.',
  },
  'second-factor': {
    title: 'Remove the second factor?',
    label: 'Remove',
    text: 'The password alone signs the person in until a new second factor is set up.',
  },
  remove: {
    title: 'Remove the person?',
    label: 'Remove the person',
    text: 'The person can no longer sign in. Organizations and their keys stay.',
  },
} as const;

function Changes({ person, path }: Parts) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <Section title="Changes">
      <div class="actions">
        <Button onClick={() => setAsked('role')}>Change the role</Button>
        <Button onClick={() => setAsked('sessions')}>End all sessions</Button>
        {person.two_factor && (
          <Button onClick={() => setAsked('second-factor')}>Remove the second factor</Button>
        )}
        <Button kind="danger" onClick={() => setAsked('remove')}>
          Remove
        </Button>
      </div>
      {asked === 'role' && <RoleDialog {...{ person, path, close }} />}
      {asked && asked !== 'role' && (
        <ConfirmDialog
          title={removals[asked].title}
          confirmLabel={removals[asked].label}
          typed={asked === 'remove' ? person.email : undefined}
          onClose={close}
          onConfirm={async () => {
            await call('DELETE', asked === 'remove' ? path : `${path}/${asked}`);
            refreshAnswers(PATH);
            if (asked === 'remove') navigate('/operator/people');
          }}
        >
          {removals[asked].text}
        </ConfirmDialog>
      )}
    </Section>
  );
}

const RoleDialog = ({ person, path, close }: Parts & { close: () => void }) => (
  <Dialog title="Role as an operator" onClose={close}>
    <Form
      submitLabel="Change the role"
      onSubmit={async ({ role }) => {
        await call('PATCH', path, { operator_role: role || null });
        refreshAnswers(PATH);
        close();
      }}
    >
      <Select
        label="Role"
        name="role"
        isRequired={false}
        value={person.operator_role ?? ''}
        options={[{ value: '', label: 'None' }, ...roleOptions]}
      />
    </Form>
  </Dialog>
);
