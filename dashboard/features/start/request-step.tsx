import type { WelcomeView } from '../../../src/console/dashboard/welcome-view.ts';
import { hasRole } from '../../app/session.ts';
import { LinkButton } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { firstRequest } from './first-request.ts';
import { Step } from './step.tsx';

/** The step that sends a request with any client, or in the playground. */
export function RequestStep({ welcome }: { welcome: WelcomeView | undefined }) {
  const mayCreate = hasRole('developer');
  return (
    <Step isDone={false} title="Send a request">
      <p>
        Any client for OpenAI or Anthropic works with this base URL.
        {mayCreate && ' The playground needs no client at all.'}
      </p>
      {welcome && <CodeBlock label="base URL" code={welcome.base_url} />}
      {welcome?.model && (
        <CodeBlock label="request" code={firstRequest({ baseUrl: welcome.base_url, model: welcome.model })} />
      )}
      {mayCreate && <LinkButton href="/playground">Open the playground</LinkButton>}
    </Step>
  );
}
