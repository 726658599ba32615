import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { LinkButton } from '../../components/button.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { AuthCard } from './auth-card.tsx';
import { LinkForm } from './link-form.tsx';
import { LEAST_PASSWORD, PASSWORD_HINT } from './password-rules.ts';
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
        <Input
          name="password"
          label="New password"
          type="password"
          autocomplete="new-password"
          minLength={LEAST_PASSWORD}
          hint={PASSWORD_HINT}
          isRequired
          hasFocus
        />
      </Form>
    </AuthCard>
  );
}
