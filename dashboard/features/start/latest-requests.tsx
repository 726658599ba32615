import type { ListedRequest } from '../../../src/console/dashboard/request-schema.ts';
import { Badge } from '../../components/badge.tsx';
import { LinkButton } from '../../components/button.tsx';
import type { Column } from '../../components/column.ts';
import { minor, numberColumn, textColumn } from '../../components/columns.tsx';
import { formatDuration } from '../../components/format-duration.ts';
import { formatMicrocreditsInUsd } from '../../components/microcredits.ts';
import { RequestStatus, toneOf } from '../../components/request-status.tsx';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';

const columns: readonly Column<ListedRequest>[] = [
  textColumn('time', 'Time', ({ id, ended_at }) => (
    <a href={`/requests/${id}`}>
      <Time at={ended_at} isRelative />
    </a>
  )),
  textColumn('model', 'Model', ({ model, route }) => model ?? route),
  textColumn('outcome', 'Outcome', (request) =>
    request.refusal ? (
      <Badge tone={toneOf(request)}>{request.refusal.code}</Badge>
    ) : (
      <RequestStatus request={request} />
    ),
  ),
  minor(textColumn('key', 'Key', ({ key_name, key_id }) => key_name ?? key_id ?? '–')),
  numberColumn('duration', 'Duration', ({ duration_ms }) => formatDuration(duration_ms)),
  numberColumn('cost', 'Cost', ({ cost_microcredits: cost }) => formatMicrocreditsInUsd(cost)),
];

/** The last requests of the organization, each with its receipt behind it. */
export const LatestRequests = ({ requests }: { requests: readonly ListedRequest[] | undefined }) => (
  <Section title="Latest requests" actions={<LinkButton href="/requests">See all requests</LinkButton>}>
    <Table
      caption="Latest requests"
      columns={columns}
      rows={requests}
      empty={<p class="soft">No request of this organization is kept. Records of requests expire.</p>}
    />
  </Section>
);
