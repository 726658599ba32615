import { useState } from 'preact/hooks';
import type { ProfileView } from '../../../src/console/dashboard/profile-schema.ts';
import type { SignedInView } from '../../../src/console/dashboard/session-schema.ts';
import { path } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { signInQuestion } from '../../app/recent-sign-in.ts';
import { loadSession, session } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PasswordInput } from '../../components/password-input.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { ProviderChoice } from './provider-buttons.tsx';
import { CodeForm } from './two-factor-form.tsx';

const answerQuestion = (hasSignedIn: boolean) => signInQuestion.peek()?.(hasSignedIn);
const giveUp = () => answerQuestion(false);
const repeatChange = () => answerQuestion(true);

/** Asks the person to sign in again before a change, in one of the ways that the person has. */
export function ConfirmSignInDialog() {
  const profile = useQuery<ProfileView>('/me');
  return (
    <Dialog title="Sign in again" onClose={giveUp}>
      <p>You signed in some time ago. This change needs a new sign-in.</p>
      <Loaded query={profile} skeleton={<Skeleton lines={4} />}>
        {(data) => (
          <>
            {data.has_password && <PasswordStep email={data.email} />}
            <ProviderStep profile={data} />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

/** Signs in with the password, and with a code if the sign-in asks for one. */
function PasswordStep({ email }: { email: string }) {
  const [asksCode, setAsksCode] = useState(false);
  const signIn = async ({ password }: FormValues) => {
    const { status } = await call<SignedInView>('POST', '/session/sign-in', { email, password });
    if (status === 'two_factor') return setAsksCode(true);
    await loadSession();
    repeatChange();
  };
  if (asksCode) return <CodeForm onCancel={() => setAsksCode(false)} onSignedIn={repeatChange} />;
  return (
    <Form submitLabel="Sign in" onSubmit={signIn} actions={<Button onClick={giveUp}>Cancel</Button>}>
      <PasswordInput hasFocus />
    </Form>
  );
}

/** Leads to the person's providers. The browser leaves the page, so the person repeats the change. */
function ProviderStep({ profile: { sign_ins: signIns } }: { profile: ProfileView }) {
  const providers = session.value!.settings.providers.filter(({ id }) =>
    signIns.some(({ provider }) => provider === id),
  );
  if (providers.length === 0) return null;
  return (
    <>
      <ProviderChoice providers={providers} returnTo={path.value} />
      <p class="soft">You come back to this page, and make the change again.</p>
    </>
  );
}
