import { useEffect, useState } from 'preact/hooks';
import type { InvitationPreview } from '../../../src/console/dashboard/link-schema.ts';
import type { AcceptedView } from '../../../src/console/dashboard/organization-schema.ts';
import { navigate } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { asProblem, type Problem } from '../../app/problem.ts';
import { chooseOrganization, loadSession, person, signOut } from '../../app/session.ts';
import { Button, LinkButton } from '../../components/button.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { formatRelative } from '../../components/format-time.ts';
import { Notice } from '../../components/notice.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { AuthCard } from './auth-card.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import { useFragmentToken } from './use-fragment-token.ts';

const KEPT = 'invitation';

/**
 * The target of an invitation: the person signs up, or signs in and accepts.
 * This tab keeps the token while the person signs in.
 */
export function InvitationPage() {
  const token = useFragmentToken();
  if (token) sessionStorage.setItem(KEPT, token);
  const storedToken = token ?? sessionStorage.getItem(KEPT) ?? undefined;
  return <OpenedInvitation key={storedToken} token={storedToken} />;
}

function OpenedInvitation({ token }: { token: string | undefined }) {
  const [preview, setPreview] = useState<InvitationPreview>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    if (token)
      call<InvitationPreview>('POST', '/session/invitation', { token }).then(setPreview, (error) =>
        setProblem(asProblem(error)),
      );
  }, []);
  if (!token || problem)
    return (
      <AuthCard
        title="The invitation does not work"
        lead="Open the link of your invitation again, or ask for another invitation."
      >
        {problem && <ProblemNotice problem={problem} />}
        <LinkButton href="/">Go to the start page</LinkButton>
      </AuthCard>
    );
  if (!preview)
    return (
      <AuthCard title="Your invitation">
        <Skeleton lines={4} />
      </AuthCard>
    );
  return <Invitation token={token} preview={preview} />;
}

type InvitationProps = { token: string; preview: InvitationPreview };

function Invitation({ token, preview }: InvitationProps) {
  const { organization, invited_by, role, expires_at, email } = preview;
  return (
    <AuthCard
      title={`Join ${organization}`}
      lead={
        <>
          {invited_by} invites <strong>{email}</strong> with the role {role}. The invitation ends{' '}
          {formatRelative(expires_at)}.
        </>
      }
    >
      {person.value ? (
        <AcceptForm token={token} invited={email} signedIn={person.value.email} />
      ) : (
        <SignUp token={token} preview={preview} />
      )}
    </AuthCard>
  );
}

async function join(): Promise<void> {
  sessionStorage.removeItem(KEPT);
  await loadSession();
  navigate('/');
}

type AcceptFormProps = { token: string; invited: string; signedIn: string };

function AcceptForm({ token, invited, signedIn }: AcceptFormProps) {
  if (signedIn.toLowerCase() !== invited.toLowerCase())
    return (
      <>
        <Notice kind="warning">
          You are signed in as {signedIn}. The invitation is for another address.
        </Notice>
        <Button kind="primary" onClick={() => void signOut()}>
          Sign out to continue
        </Button>
      </>
    );
  const accept = async () => {
    const accepted = await call<AcceptedView>('POST', '/me/invitations', { token });
    chooseOrganization(accepted.organization);
    await join();
  };
  return (
    <Form
      submitLabel={`Accept as ${signedIn}`}
      onSubmit={accept}
      actions={<Button onClick={() => void signOut()}>Sign out</Button>}
    />
  );
}

function SignUp({ token, preview: { email, has_person } }: InvitationProps) {
  const signUp = async ({ name, password }: FormValues) => {
    await call('POST', '/session/sign-up', { name, password, email, invitation: token });
    await join();
  };
  return has_person ? (
    <LinkButton kind="primary" href="/sign-in?next=/invitation">
      Sign in and accept
    </LinkButton>
  ) : (
    <SignUpForm isInvited onSubmit={signUp} />
  );
}
