import { useState } from 'preact/hooks';
import type { SignedInView } from '../../../src/console/dashboard/session-schema.ts';
import { call } from '../../app/call.ts';
import { leaveExpired, loadSession, person } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmailInput } from '../../components/email-input.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { PasswordInput } from '../../components/password-input.tsx';
import { CodeForm } from './two-factor-form.tsx';

/**
 * Asks for a sign-in above a page into which something was typed. It hides the page, which stays as it is.
 */
export function SignInDialog() {
  const [asksCode, setAsksCode] = useState(false);
  const signIn = async ({ email, password }: FormValues) => {
    const { status } = await call<SignedInView>('POST', '/session/sign-in', { email, password });
    if (status === 'two_factor') setAsksCode(true);
    else await loadSession();
  };
  return (
    <Dialog title="Sign in again" onClose={leaveExpired} isKept hidesPage>
      <p>Your session has ended. What you typed is kept on this page.</p>
      {asksCode ? (
        <CodeForm onCancel={() => setAsksCode(false)} />
      ) : (
        <Form
          submitLabel="Sign in"
          onSubmit={signIn}
          actions={<Button onClick={leaveExpired}>Discard and leave</Button>}
        >
          <EmailInput autocomplete="username" value={person.value?.email ?? ''} />
          <PasswordInput hasFocus />
        </Form>
      )}
      <p class="soft">
        To sign in another way,{' '}
        <a href="/sign-in" target="_blank" rel="noopener">
          open the sign-in page in a new tab
        </a>
        . This page continues by itself.
      </p>
    </Dialog>
  );
}
