import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { loadSession } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { AuthCard } from './auth-card.tsx';

type CodeFormProps = {
  onCancel: () => void;
  /** The form calls it when the session of the sign-in is loaded. */
  onSignedIn?: () => void;
};
type CodeKind = 'totp' | 'recovery';

const leads = {
  totp: 'Your authenticator app shows a code of six digits.',
  recovery: 'Each recovery code works once.',
} as const;

/** The second step of signing in: the code of an app, or a recovery code. */
export function TwoFactorForm({ onCancel }: CodeFormProps) {
  const [kind, setKind] = useState<CodeKind>('totp');
  return (
    <AuthCard title="Enter your code" lead={leads[kind]} foot={<OtherKind kind={kind} onChoose={setKind} />}>
      <CodeFields key={kind} kind={kind} onCancel={onCancel} />
    </AuthCard>
  );
}

/** The same step without the page around it. */
export function CodeForm(props: CodeFormProps) {
  const [kind, setKind] = useState<CodeKind>('totp');
  return (
    <>
      <p>{leads[kind]}</p>
      <CodeFields key={kind} kind={kind} {...props} />
      <OtherKind kind={kind} onChoose={setKind} />
    </>
  );
}

function CodeFields({ kind, onCancel, onSignedIn }: CodeFormProps & { kind: CodeKind }) {
  const enter = async ({ code = '' }: FormValues) => {
    await call('POST', '/session/two-factor', { code: code.replaceAll(' ', ''), kind });
    await loadSession();
    onSignedIn?.();
  };
  return (
    <Form submitLabel="Continue" onSubmit={enter} actions={<Button onClick={onCancel}>Back</Button>}>
      <Input
        name="code"
        label={kind === 'totp' ? 'Code' : 'Recovery code'}
        autocomplete="one-time-code"
        {...(kind === 'totp' && { inputMode: 'numeric' as const })}
        isRequired
        hasFocus
      />
    </Form>
  );
}

const OtherKind = ({ kind, onChoose }: { kind: CodeKind; onChoose: (kind: CodeKind) => void }) => (
  <Button kind="quiet" onClick={() => onChoose(kind === 'totp' ? 'recovery' : 'totp')}>
    {kind === 'totp' ? 'Use a recovery code' : 'Use the code of your app'}
  </Button>
);
