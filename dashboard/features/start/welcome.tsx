import { session } from '../../app/session.ts';
import { LinkButton } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';

const baseUrl = `${location.origin}/v1`;

/** What a signed-out visitor sees. */
export function Welcome() {
  const settings = session.value?.settings;
  return (
    <>
      <div class="hero">
        <h1 tabIndex={-1}>One address and one key for every model</h1>
        <p class="lead">
          This server is a Tollgate model gateway. It works with every client that speaks the API of OpenAI or
          Anthropic.
        </p>
        <div class="actions">
          <LinkButton kind="primary" href="/sign-in">
            Sign in
          </LinkButton>
          {settings?.open_sign_up && <LinkButton href="/sign-up">Create an account</LinkButton>}
          <LinkButton href="/docs">Documentation</LinkButton>
        </div>
      </div>
      {settings?.first_start && (
        <Section title="First start">
          <Notice title="Nobody has signed in yet">
            The admin token signs the first operator in. The start message shows it, and it is in the{' '}
            <code>admin-token</code> file of the data directory.
          </Notice>
        </Section>
      )}
      <Section title="Base URL">
        <CodeBlock label="Base URL" code={baseUrl} />
      </Section>
    </>
  );
}
