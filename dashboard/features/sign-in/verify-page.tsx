import { useEffect, useState } from 'preact/hooks';
import type { SignedInView } from '../../../src/api/dashboard/session-schema.ts';
import { call } from '../../app/call.ts';
import { loadSession } from '../../app/session.ts';
import { useAction } from '../../app/use-action.ts';
import { LinkButton } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { AuthCard } from './auth-card.tsx';
import { takeFragmentToken } from './fragment-token.ts';
import { LinkForm } from './link-form.tsx';
import { TwoFactorForm } from './two-factor-form.tsx';

/** The target of the link that confirms an address. Without the token of a link it asks for one. */
export function VerifyPage() {
  const [token] = useState(takeFragmentToken);
  const [status, setStatus] = useState<SignedInView['status']>();
  const { run, problem } = useAction(async () => {
    const answer = await call<SignedInView>('POST', '/session/verify', { token });
    await loadSession();
    setStatus(answer.status);
  });
  useEffect(() => {
    if (token) void run();
  }, [token]);
  if (!token)
    return (
      <LinkForm
        kind="verification"
        title="Confirm your address"
        lead="A link by mail confirms that the address is yours."
      />
    );
  if (status === 'two_factor') return <TwoFactorForm onCancel={() => setStatus(undefined)} />;
  if (problem)
    return (
      <AuthCard title="The link does not work" foot={<a href="/verify">Ask for another link</a>}>
        <ProblemNotice problem={problem} />
      </AuthCard>
    );
  return status ? (
    <AuthCard title="Your address is confirmed" lead="You are signed in.">
      <LinkButton kind="primary" href="/">
        Go to the overview
      </LinkButton>
    </AuthCard>
  ) : (
    <AuthCard title="Confirming your address">
      <Skeleton lines={2} />
    </AuthCard>
  );
}
