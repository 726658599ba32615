import './requests.css';
import type { RequestDetail } from '../../../src/console/dashboard/request-schema.ts';
import type { PagePath } from '../../../src/console/site/page-paths.ts';
import type { AdvicePage } from '../../../src/watch/requests/refusal-advice.ts';
import type { PageProps } from '../../app/page.ts';
import { inOrganization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { CostLines } from '../../components/cost-lines.tsx';
import { DetailPage } from '../../components/detail-page.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatNumber } from '../../components/format.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { formatDateTimeToSecond } from '../../components/format-time.ts';
import { Notice } from '../../components/notice.tsx';
import { RequestStatus } from '../../components/request-status.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { ReceiptFlow } from './receipt-flow.tsx';
import { RequestContent } from './request-content.tsx';

/** The texts of the links to the pages where a refusal is remedied. Each of them must be a page. */
const pageLinks: Readonly<Record<AdvicePage & PagePath, string>> = {
  '/keys': 'Open keys',
  '/budgets': 'Open budgets',
  '/billing': 'Open billing',
  '/models': 'Open models',
  '/organization': 'Open organization',
};

const sourceNames: Readonly<Record<ShownRequest['source'], string>> = {
  api: 'API',
  batch: 'Batch',
  playground: 'Playground',
};

/** One request: what happened, why it was refused, and its receipt. */
export function RequestPage({ params }: PageProps) {
  const query = useQuery<RequestDetail>(inOrganization(`/requests/${encodeURIComponent(params.id ?? '')}`));
  return (
    <DetailPage
      query={query}
      title="Request"
      lead={<code>{params.id}</code>}
      back={{ href: '/requests', label: 'Requests' }}
      actions={<CopyButton text={params.id ?? ''} label="Copy id" />}
      skeleton={<Skeleton lines={16} />}
    >
      {(detail) => <Detail detail={detail} />}
    </DetailPage>
  );
}

function Detail({ detail: { id, request, receipt } }: { detail: RequestDetail }) {
  const path = inOrganization(`/requests/${encodeURIComponent(id)}`);
  return (
    <>
      {request?.refusal && <Refusal refusal={request.refusal} />}
      {request ? (
        <Overview request={request} />
      ) : (
        <Notice title="The record of this request has expired">The receipt stays in the ledger.</Notice>
      )}
      <RequestContent id={id} route={request?.route} />
      {request && request.losses.length > 0 && <Losses losses={request.losses} />}
      {receipt ? (
        <>
          <ReceiptFlow receipt={receipt} request={request} />
          <CostLines path={path} />
        </>
      ) : (
        <Section title="Receipt">
          <p class="soft">This request was not charged.</p>
        </Section>
      )}
    </>
  );
}

type ShownRequest = NonNullable<RequestDetail['request']>;

/** The reason of a refusal in the words of this page, then in those that the client received. */
const Refusal = ({ refusal }: { refusal: NonNullable<ShownRequest['refusal']> }) => (
  <div class="section">
    <Notice
      kind={refusal.status >= 500 ? 'error' : 'warning'}
      title={`${refusal.status}: ${refusal.code}`}
      actions={
        refusal.advice?.page && (
          <LinkButton href={refusal.advice.page}>{pageLinks[refusal.advice.page]}</LinkButton>
        )
      }
    >
      <p>{refusal.sentence}</p>
      {refusal.message !== refusal.sentence && <p class="soft">The client received: {refusal.message}</p>}
      {refusal.advice && <p>{refusal.advice.text}</p>}
    </Notice>
  </div>
);

function Overview({ request }: { request: ShownRequest }) {
  const { model, served_model: served } = request;
  return (
    <Section title="What happened" isCard>
      <Facts
        facts={[
          ['Status', <RequestStatus request={request} />],
          ['Arrived', formatDateTimeToSecond(request.started_at)],
          ['Duration', formatDuration(request.duration_ms)],
          ['Time in the queue', formatDuration(request.queue_ms)],
          ['Time to the first token', formatDuration(request.first_token_ms)],
          ['Time to the first byte', formatDuration(request.first_byte_ms)],
          ['Address', <code>{`${request.method} ${request.path}`}</code>],
          request.replay_of !== null && ['Answer of', <code>{request.replay_of}</code>],
          model !== null && ['Model', <code>{model}</code>],
          served !== null && served !== model && ['Answered by', <code>{served}</code>],
          ['Answer', request.stream ? 'Streamed' : 'Whole'],
          request.input_tokens !== null && ['Tokens', tokenText(request)],
          ['Source', sourceNames[request.source]],
          ['Attempts', formatNumber(request.attempts)],
          request.key_id !== null && ['Key', request.key_name ?? <code>{request.key_id}</code>],
          request.user !== null && ['End user', request.user],
          request.client_address !== null && ['Client', request.client_address],
          request.user_agent !== null && ['User agent', request.user_agent],
        ]}
      />
    </Section>
  );
}

const tokenText = ({ input_tokens, output_tokens, usage_estimated }: ShownRequest): string =>
  `${formatNumber(input_tokens)} in, ${formatNumber(output_tokens)} out${usage_estimated ? ', estimated' : ''}`;

const Losses = ({ losses }: { losses: readonly string[] }) => (
  <Section
    title="Translation losses"
    lead="The request was translated to the protocol of the model. These parts were dropped. The header x-svc-strict: true refuses such requests."
  >
    <ul>
      {losses.map((loss) => (
        <li key={loss}>
          <code>{loss}</code>
        </li>
      ))}
    </ul>
  </Section>
);
