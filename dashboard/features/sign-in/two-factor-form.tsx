import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { loadSession } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { AuthCard } from './auth-card.tsx';

/** The second step of signing in: the code of an app, or a recovery code. */
export function TwoFactorForm({ onCancel }: { onCancel: () => void }) {
  const [kind, setKind] = useState<'totp' | 'recovery'>('totp');
  const isCode = kind === 'totp';
  const enter = async ({ code = '' }: FormValues) => {
    await call('POST', '/session/two-factor', { code: code.replaceAll(' ', ''), kind });
    await loadSession();
  };
  const other = (
    <Button kind="quiet" onClick={() => setKind(isCode ? 'recovery' : 'totp')}>
      {isCode ? 'Use a recovery code' : 'Use the code of your app'}
    </Button>
  );
  return (
    <AuthCard
      title="Enter your code"
      lead={isCode ? 'Your authenticator app shows a code of six digits.' : 'Each recovery code works once.'}
      foot={other}
    >
      <Form
        key={kind}
        submitLabel="Continue"
        onSubmit={enter}
        actions={<Button onClick={onCancel}>Back</Button>}
      >
        <Input
          name="code"
          label={isCode ? 'Code' : 'Recovery code'}
          autocomplete="one-time-code"
          {...(isCode && { inputMode: 'numeric' as const })}
          isRequired
          hasFocus
        />
      </Form>
    </AuthCard>
  );
}
