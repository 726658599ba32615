import type { SignedInView } from '../../../src/console/dashboard/session-schema.ts';
import { withQuery } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { EmailInput } from '../../components/email-input.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { NewPasswordInput } from '../../components/password-input.tsx';
import { AuthCard } from './auth-card.tsx';

type AdminTokenFormProps = { isFirst: boolean; onDone: (answer: SignedInView) => Promise<void> };

/** Makes the holder of an admin token an operator with a password. */
export function AdminTokenForm({ isFirst, onDone }: AdminTokenFormProps) {
  const signIn = async ({ token = '', ...person }: FormValues) =>
    onDone(await call<SignedInView>('POST', '/session/admin-token', { token: token.trim(), ...person }));
  const lead = isFirst
    ? 'Nobody has signed in yet. The admin token makes you the first operator. From then on, you sign in with your email and password.'
    : 'The admin token makes you an operator with its role. From then on, you sign in with your email and password.';
  const foot = !isFirst && <a href={withQuery({ with: null })}>Sign in with a password</a>;
  return (
    <AuthCard title={isFirst ? 'Set up this server' : 'Sign in with an admin token'} lead={lead} foot={foot}>
      <Form submitLabel={isFirst ? 'Become the operator' : 'Sign in'} onSubmit={signIn}>
        <Input
          name="token"
          label="Admin token"
          type="password"
          autocomplete="off"
          placeholder="tga_…"
          isRequired
          hasFocus
          hint={
            <>
              The start message shows it. It is also in the file <code>admin-token</code> of the data
              directory.
            </>
          }
        />
        <Input name="name" label="Your name" autocomplete="name" maxLength={100} isRequired />
        <EmailInput autocomplete="username" />
        <NewPasswordInput />
      </Form>
    </AuthCard>
  );
}
