import type { ListedRequest } from '../../../src/console/dashboard/request-schema.ts';
import type { Column } from '../../components/column.ts';
import { minor, numberColumn, textColumn } from '../../components/columns.tsx';
import { formatTokens } from '../../components/format.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { formatDateTimeToSecond } from '../../components/format-time.ts';
import { formatMicrocreditsInUsd } from '../../components/microcredits.ts';
import { RequestStatus } from '../../components/request-status.tsx';
import { Table } from '../../components/table.tsx';

const columns: readonly Column<ListedRequest>[] = [
  textColumn('time', 'Ended', ({ id, ended_at }) => (
    <a href={`/requests/${id}`} title={id} class="request-time">
      <time dateTime={ended_at}>{formatDateTimeToSecond(ended_at)}</time>
    </a>
  )),
  textColumn('status', 'Status', (request) => <RequestStatus request={request} />),
  textColumn('model', 'Model and reason', (request) => <ModelAndReason request={request} />),
  minor(textColumn('key', 'Key', ({ key_name, key_id }) => key_name ?? key_id ?? '–')),
  minor(
    numberColumn('tokens', 'Tokens', ({ input_tokens: input, output_tokens: output }) =>
      input === null ? '–' : `${formatTokens(input)} → ${formatTokens(output ?? 0)}`,
    ),
  ),
  numberColumn('duration', 'Duration', ({ duration_ms }) => formatDuration(duration_ms)),
  numberColumn('cost', 'Cost', ({ cost_microcredits: cost }) => formatMicrocreditsInUsd(cost)),
];

const ModelAndReason = ({ request }: { request: ListedRequest }) => {
  const { model, served_model: served, route, refusal } = request;
  const isOther = served !== null && model !== null && served !== model;
  return (
    <div class="request-model">
      <span class="break">
        {model ?? route}
        {isOther && <span class="soft"> → {served}</span>}
      </span>
      {refusal && <span class="request-reason">{refusal.sentence}</span>}
    </div>
  );
};

/** Requests, the latest first. */
export const RequestTable = ({ requests }: { requests: readonly ListedRequest[] }) => (
  <Table caption="Requests" columns={columns} rows={requests} />
);
