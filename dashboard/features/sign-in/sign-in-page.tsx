import { useState } from 'preact/hooks';
import type { SessionView, SignedInView } from '../../../src/console/dashboard/session-schema.ts';
import { queryValue, withQuery } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { loadSession, session } from '../../app/session.ts';
import { EmailInput } from '../../components/email-input.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { PasswordInput } from '../../components/password-input.tsx';
import { AdminTokenForm } from './admin-token-form.tsx';
import { AuthCard } from './auth-card.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { TwoFactorForm } from './two-factor-form.tsx';

/** Signs a person in: with a password and a code, with an identity provider, or with the admin token. */
export function SignInPage() {
  const [asksCode, setAsksCode] = useState(false);
  const { settings } = session.value!;
  const withToken = settings.admin_token_field && (settings.first_start || queryValue('with') === 'token');
  const continueSignIn = async ({ status }: SignedInView) => {
    if (status === 'two_factor') setAsksCode(true);
    else await loadSession();
  };
  if (asksCode) return <TwoFactorForm onCancel={() => setAsksCode(false)} />;
  if (withToken) return <AdminTokenForm isFirst={settings.first_start} onDone={continueSignIn} />;
  const signIn = async ({ email, password }: FormValues) =>
    continueSignIn(await call<SignedInView>('POST', '/session/sign-in', { email, password }));
  return (
    <AuthCard title="Sign in" foot={<SignInFoot settings={settings} />}>
      {queryValue('error') && (
        <Notice kind="error" isAlert>
          The provider did not sign you in here. Your address must be verified there and here, and a new
          person may need an invitation.
        </Notice>
      )}
      <ProviderButtons />
      <Form submitLabel="Sign in" onSubmit={signIn}>
        <EmailInput autocomplete="username" hasFocus />
        <PasswordInput />
        <p class="auth-line">
          <a href="/reset">Forgot your password?</a>
        </p>
      </Form>
    </AuthCard>
  );
}

function SignInFoot({ settings }: { settings: SessionView['settings'] }) {
  return (
    <>
      {settings.open_sign_up ? (
        <>
          New here?{' '}
          <a
            href={withQuery(
              { with: null, error: null },
              new URL(`/sign-up${location.search}`, location.origin),
            )}
          >
            Create an account
          </a>
        </>
      ) : (
        <>Sign-up needs an invitation. Ask the operator of this server for one.</>
      )}
      {settings.admin_token_field && (
        <>
          <br />
          <a href={withQuery({ with: 'token' })}>Sign in with an admin token</a>
        </>
      )}
    </>
  );
}
