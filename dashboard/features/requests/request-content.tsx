import type { RequestContentView } from '../../../src/console/dashboard/request-schema.ts';
import { dialectOfRoute } from '../../app/chat-endpoints.ts';
import { hasRole, inOrganization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { ContentNotice } from '../../components/content-notice.tsx';
import { formatDateTime } from '../../components/format-time.ts';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';

type RequestContentProps = { id: string; route: string | undefined };

/** The content of a request, where the operator keeps it. Viewers do not see it. */
export function RequestContent({ id, route }: RequestContentProps) {
  const path = hasRole('developer') ? inOrganization(`/requests/${encodeURIComponent(id)}/content`) : null;
  const { data, problem } = useQuery<RequestContentView>(path);
  if (problem) return <ProblemNotice problem={problem} />;
  if (!data || (!data.content && !data.logging)) return null;
  return (
    <>
      {data.logging && <ContentNotice />}
      {data.content && (
        <Content
          content={data.content}
          href={route && dialectOfRoute(route) ? `/playground?from=${encodeURIComponent(id)}` : undefined}
        />
      )}
    </>
  );
}

type ContentProps = {
  content: NonNullable<RequestContentView['content']>;
  /** The playground with this request. */
  href: string | undefined;
};

function Content({ content, href }: ContentProps) {
  if (content.withheld)
    return (
      <Section title="Content">
        <p class="soft">The content could not be redacted, so none of it is kept.</p>
      </Section>
    );
  return (
    <Section
      title="Content"
      lead={`Redacted, and deleted at ${formatDateTime(content.expires_at)}.`}
      actions={
        href !== undefined &&
        !content.request_cut && (
          <LinkButton href={href} icon="playground">
            Open this request in the playground
          </LinkButton>
        )
      }
    >
      <h3>Request{content.request_cut && ', its start'}</h3>
      <CodeBlock label="the request" code={indented(content.request)} />
      <h3>Answer{content.answer_cut && ', its start'}</h3>
      <CodeBlock label="the answer" code={indented(content.answer)} />
    </Section>
  );
}

/** JSON is indented. Streams and cut texts stay as they are. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
