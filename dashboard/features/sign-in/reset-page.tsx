import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { LinkButton } from '../../components/button.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { NewPasswordInput } from '../../components/password-input.tsx';
import { AuthCard } from './auth-card.tsx';
import { LinkForm } from './link-form.tsx';
import { useFragmentToken } from './use-fragment-token.ts';

/** The target of the link that sets another password. Without the token of a link it asks for one. */
export function ResetPage() {
  const token = useFragmentToken();
  if (token) return <NewPassword key={token} token={token} />;
  return (
    <LinkForm
      kind="reset"
      title="Choose another password"
      lead="The server sends a link by mail. The link opens a form for a new password."
    />
  );
}

function NewPassword({ token }: { token: string }) {
  const [isDone, setDone] = useState(false);
  if (isDone)
    return (
      <AuthCard title="Your password is changed" lead="All other sessions have ended.">
        <LinkButton kind="primary" href="/sign-in">
          Sign in
        </LinkButton>
      </AuthCard>
    );
  const change = async ({ password }: FormValues) => {
    await call('POST', '/session/new-password', { token, password });
    setDone(true);
  };
  return (
    <AuthCard title="Choose another password" foot={<a href="/reset">Request another link</a>}>
      <Form submitLabel="Change the password" onSubmit={change}>
        <NewPasswordInput label="New password" hasFocus />
      </Form>
    </AuthCard>
  );
}
