import type { SessionView } from '../../../src/console/dashboard/session-schema.ts';
import { call } from '../../app/call.ts';
import { nextAddress } from '../../app/next-address.ts';
import { session } from '../../app/session.ts';
import { useAction } from '../../app/use-action.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';

/** Buttons that sign in at other places, if the server knows some. */
export function ProviderButtons() {
  const { providers } = session.value!.settings;
  if (providers.length === 0) return null;
  return (
    <>
      <ProviderChoice providers={providers} returnTo={nextAddress()} />
      <p class="auth-or">or</p>
    </>
  );
}

type ProviderChoiceProps = {
  providers: SessionView['settings']['providers'];
  /** The page to which the browser comes back. */
  returnTo: string;
};

/** Buttons that sign in at these providers. */
export function ProviderChoice({ providers, returnTo }: ProviderChoiceProps) {
  const { run, isRunning, problem } = useAction(async (provider: string) => {
    const body = { provider, return_to: returnTo };
    location.assign((await call<{ url: string }>('POST', '/session/provider', body)).url);
  });
  return (
    <>
      <div class="auth-providers">
        {providers.map(({ id, name }) => (
          <Button key={id} isRunning={isRunning} onClick={() => void run(id)}>
            Continue with {name}
          </Button>
        ))}
      </div>
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
}
