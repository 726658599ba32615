import { useEffect, useState } from 'preact/hooks';
import type { VerifiedView } from '../../../src/console/dashboard/link-schema.ts';
import { call } from '../../app/call.ts';
import { loadSession } from '../../app/session.ts';
import { useAction } from '../../app/use-action.ts';
import { LinkButton } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { AuthCard } from './auth-card.tsx';
import { LinkForm } from './link-form.tsx';
import { useFragmentToken } from './use-fragment-token.ts';

/** The target of the link that confirms an address. Without the token of a link it asks for one. */
export function VerifyPage() {
  const token = useFragmentToken();
  if (token) return <Confirmation key={token} token={token} />;
  return (
    <LinkForm
      kind="verification"
      title="Confirm your address"
      lead="A link by mail confirms that the address is yours."
    />
  );
}

function Confirmation({ token }: { token: string }) {
  const [verified, setVerified] = useState<VerifiedView>();
  const { run, problem } = useAction(async () => {
    const answer = await call<VerifiedView>('POST', '/session/verify', { token });
    await loadSession();
    setVerified(answer);
  });
  useEffect(() => void run(), []);
  if (problem)
    return (
      <AuthCard title="The link does not work" foot={<a href="/verify">Request another link</a>}>
        <ProblemNotice problem={problem} />
      </AuthCard>
    );
  if (!verified)
    return (
      <AuthCard title="Confirming your address">
        <Skeleton lines={2} />
      </AuthCard>
    );
  return verified.choose_password ? <WithoutPassword /> : <Confirmed status={verified.status} />;
}

const Confirmed = ({ status }: { status: VerifiedView['status'] }) => (
  <AuthCard
    title="Your address is confirmed"
    lead={status === 'signed_in' ? 'You are signed in.' : 'Sign in to continue.'}
  >
    <LinkButton kind="primary" href={status === 'signed_in' ? '/' : '/sign-in'}>
      {status === 'signed_in' ? 'Go to the overview' : 'Sign in'}
    </LinkButton>
  </AuthCard>
);

/** Somebody else may have signed up with the address, so no password of a sign-up counts. */
const WithoutPassword = () => (
  <AuthCard
    title="Your address is confirmed"
    lead="No password is set, since it is not certain that you chose one. A link by mail sets it."
  >
    <LinkButton kind="primary" href="/reset">
      Choose a password
    </LinkButton>
  </AuthCard>
);
