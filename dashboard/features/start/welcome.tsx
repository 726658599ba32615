import { useEffect } from 'preact/hooks';
import type { WelcomeView } from '../../../src/console/dashboard/welcome-view.ts';
import { session } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { firstRequest } from './first-request.ts';
import { Plans } from './plans.tsx';

/** The start page of signed-out visitors: what this server is, and how to use it. */
export function Welcome() {
  const query = useQuery<WelcomeView>('/welcome');
  const { first_start, open_sign_up } = session.value!.settings;
  return (
    <>
      <div class="hero">
        <h1 tabIndex={-1}>One address and one key for every model</h1>
        <p class="lead">
          This is a Tollgate model gateway. It works with every client for OpenAI or Anthropic, counts each
          token exactly, and says what each request costs.
        </p>
        <div class="actions">
          <LinkButton kind="primary" href="/sign-in">
            {first_start ? 'Set up this server' : 'Sign in'}
          </LinkButton>
          {open_sign_up && !first_start && <LinkButton href="/sign-up">Create an account</LinkButton>}
          <LinkButton href="/docs">Read the documentation</LinkButton>
        </div>
      </div>
      {first_start && <FirstStart />}
      <Loaded query={query}>{(welcome) => <Details welcome={welcome} />}</Loaded>
    </>
  );
}

/** Shows how the first operator signs in. Only the listener for operators shows it. */
const FirstStart = () => (
  <Section title="First start">
    <Notice title="The admin token signs the first operator in">
      The start message shows it. It is also in the file <code>admin-token</code> of the data directory.
    </Notice>
  </Section>
);

function Details({ welcome }: { welcome: WelcomeView }) {
  const { base_url, model, plans } = welcome;
  // Errors about credits link to the plans.
  useEffect(() => {
    if (location.hash === '#plans') document.getElementById('plans')?.scrollIntoView();
  }, []);
  return (
    <>
      <Simulated welcome={welcome} />
      <Section title="Send a request" lead="Set the base URL and your key in the settings of your client.">
        <CodeBlock label="base URL" code={base_url} />
        {model && <CodeBlock label="request" code={firstRequest({ baseUrl: base_url, model })} />}
      </Section>
      <div id="plans">
        <Section title="Plans" lead="Upgrades apply at once. Downgrades apply at the next renewal.">
          <Plans plans={plans} />
        </Section>
      </div>
    </>
  );
}

/** Says whether all answers or some of them are simulated. */
function Simulated({ welcome: { models, simulated_models: simulated } }: { welcome: WelcomeView }) {
  if (simulated === 0) return null;
  return (
    <Section title="Answers">
      {simulated === models ? (
        <Notice kind="warning" title="Answers are simulated">
          No provider is set up, so the built-in simulator answers every request, free of charge.
        </Notice>
      ) : (
        <Notice title="Some answers are simulated">
          The built-in simulator answers for {simulated} of {models} models. Providers answer for all others.
        </Notice>
      )}
    </Section>
  );
}
