import type { ResponseDetail } from '../../../src/console/dashboard/response-schema.ts';
import { navigate } from '../../app/address.ts';
import { API, call } from '../../app/call.ts';
import type { PageProps } from '../../app/page.ts';
import { hasRole, inOrganization } from '../../app/session.ts';
import { type Query, useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ContentHidden } from '../../components/content-hidden.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatBytes, formatNumber } from '../../components/format.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { Chain } from './chain.tsx';
import { InputItems } from './input-items.tsx';
import { ItemView } from './item-view.tsx';

/** One stored response: its conversation, what the model was given, and what it said. */
export function ResponsePage({ params }: PageProps) {
  const path = inOrganization(`/responses/${encodeURIComponent(params.id!)}`);
  const mayRead = hasRole('developer');
  const response = useQuery<ResponseDetail>(mayRead ? path : null);
  return (
    <>
      <PageHeader
        title="Stored response"
        lead={<code class="response-id">{params.id}</code>}
        back={{ href: '/responses', label: 'Stored responses' }}
        actions={response.data && <Actions path={path!} />}
      />
      {mayRead ? <Whole query={response} path={path!} id={params.id!} /> : <ContentHidden />}
    </>
  );
}

type WholeParts = { query: Query<ResponseDetail>; path: string; id: string };

const Whole = ({ query, path, id }: WholeParts) => (
  <Loaded query={query}>
    {(answer) => (
      <>
        <Properties response={answer} />
        <Chain response={answer} />
        <Section title="Output" lead={answer.is_cut && 'Long texts are cut. The download is complete.'}>
          <ol class="items">
            {answer.output.map((item, index) => (
              <ItemView key={index} item={item} />
            ))}
          </ol>
        </Section>
        <InputItems key={id} path={path} instructions={answer.instructions} />
      </>
    )}
  </Loaded>
);

const Properties = ({ response }: { response: ResponseDetail }) => (
  <Section title="Properties" isCard>
    <Facts
      facts={[
        ['Model', response.model],
        ['Status', response.status],
        ['Key', <a href="/keys">{response.key_id}</a>],
        ['Created', <Time at={response.created_at} />],
        ['Expires', <Time at={response.expires_at} />],
        ['Size', formatBytes(response.bytes)],
        ['Turn of the conversation', formatNumber(response.turns)],
        ['Tokens', tokensOf(response.usage)],
      ]}
    />
  </Section>
);

function tokensOf(usage: unknown): string {
  const { input_tokens, output_tokens } = (usage ?? {}) as Record<string, number | undefined>;
  return `${formatNumber(input_tokens)} in, ${formatNumber(output_tokens)} out`;
}

const Actions = ({ path }: { path: string }) => (
  <>
    <LinkButton href={`${API}${path}/download`} icon="download" download>
      Download JSON
    </LinkButton>
    {hasRole('developer') && (
      <ConfirmButton
        label="Delete"
        kind="danger"
        icon="trash"
        title="Delete the response?"
        confirmLabel="Delete the response"
        refreshes={path.replace(/\/[^/]*$/, '')}
        done="The response was deleted."
        onConfirm={async () => {
          await call('DELETE', path);
          navigate('/responses');
        }}
      >
        Requests can no longer continue it by its id. Responses that continue it already keep their
        conversation. This cannot be undone.
      </ConfirmButton>
    )}
  </>
);
