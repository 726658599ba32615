import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { loadSession, session } from '../../app/session.ts';
import { LinkButton } from '../../components/button.tsx';
import type { FormValues } from '../../components/form.tsx';
import { AuthCard } from './auth-card.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { SignUpForm } from './sign-up-form.tsx';

/** Makes an account for a person, where the server is open to everybody. */
export function SignUpPage() {
  const [sentTo, setSentTo] = useState<string>();
  const { settings } = session.value!;
  const signUp = async (values: FormValues) => {
    const { status } = await call<{ status: string }>('POST', '/session/sign-up', values);
    if (status === 'verify') setSentTo(values['email']);
    else await loadSession();
  };
  if (!settings.open_sign_up) return <ByInvitation />;
  if (sentTo) return <LinkIsOnItsWay email={sentTo} />;
  return (
    <AuthCard
      title="Create an account"
      foot={
        <>
          You have an account? <a href={`/sign-in${location.search}`}>Sign in</a>
        </>
      }
    >
      <ProviderButtons />
      <SignUpForm onSubmit={signUp} />
    </AuthCard>
  );
}

const ByInvitation = () => (
  <AuthCard
    title="Sign-up needs an invitation"
    lead="Ask the operator of this server, or an owner of your organization, for an invitation. Its link leads you here."
  >
    <LinkButton href="/sign-in">Sign in</LinkButton>
  </AuthCard>
);

const LinkIsOnItsWay = ({ email }: { email: string }) => (
  <AuthCard
    title="Confirm your address"
    lead={<SentText email={email} />}
    foot={<a href="/verify">Request another link</a>}
  >
    <LinkButton href="/sign-in">Sign in</LinkButton>
  </AuthCard>
);

/** Says the same for known and unknown addresses. */
const SentText = ({ email }: { email: string }) =>
  session.value!.settings.mail ? (
    <>
      A message to <strong>{email}</strong> is on its way. Open the link in it to finish.
    </>
  ) : (
    <>
      This server sends no mail. Ask its operator for the link that confirms <strong>{email}</strong>.
    </>
  );
