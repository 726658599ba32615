import type { WelcomeView } from '../../../src/console/dashboard/welcome-view.ts';
import { hasRole } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Section } from '../../components/section.tsx';
import { firstRequest } from './first-request.ts';
import { Step } from './step.tsx';

/** Shows the first steps. It goes away with the first request. */
export function FirstSteps({ hasKey }: { hasKey: boolean }) {
  const { data } = useQuery<WelcomeView>('/welcome');
  return (
    <Section title="First steps" isCard>
      <ol class="steps">
        <KeyStep hasKey={hasKey} />
        <RequestStep welcome={data} />
        <Step isDone={false} title="See what it cost">
          <p>Every request has a receipt with its tokens, its prices and the time to its first token.</p>
          <LinkButton href="/requests">See the requests</LinkButton>
        </Step>
      </ol>
    </Section>
  );
}

/** A key for the clients of the organization. */
export function KeyStep({ hasKey }: { hasKey: boolean }) {
  const mayCreate = hasRole('developer');
  return (
    <Step isDone={hasKey} title="Create a key">
      <p>
        {hasKey
          ? 'The secret of a key is shown once. If you do not have it, create another key.'
          : 'The secret of a key is shown once, with settings for common clients.'}
      </p>
      {mayCreate && (
        <LinkButton href="/keys?do=create">{hasKey ? 'Create another key' : 'Create a key'}</LinkButton>
      )}
      {!mayCreate && !hasKey && (
        <p>Your role is viewer. An owner or a developer of the organization creates keys.</p>
      )}
    </Step>
  );
}

/** A request by any client, or in the playground. */
export function RequestStep({ welcome }: { welcome: WelcomeView | undefined }) {
  const mayCreate = hasRole('developer');
  return (
    <Step isDone={false} title="Send a request">
      <p>
        Any client for OpenAI or Anthropic works with this base URL.
        {mayCreate && ' The playground needs no client at all.'}
      </p>
      {welcome && <CodeBlock label="base URL" code={welcome.base_url} />}
      {welcome?.model && <CodeBlock label="request" code={firstRequest(welcome.base_url, welcome.model)} />}
      {mayCreate && <LinkButton href="/playground">Open the playground</LinkButton>}
    </Step>
  );
}
