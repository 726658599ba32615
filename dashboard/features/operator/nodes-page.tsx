import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/column.ts';
import { minor, numberColumn, sortedBy, textColumn, timeColumn } from '../../components/columns.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { GoneStatus } from './health-status.tsx';
import { type ListOf, OPERATOR } from './operator-api.ts';
import type { NodeRow } from './rows.ts';

/** The processes of the installation. */
export const NodesPage = () => (
  <ListPage<NodeRow, ListOf<NodeRow>>
    title="Nodes"
    lead="Nodes are the processes that share the store. A node without a heartbeat for ten seconds is closed by the others."
    path={`${OPERATOR}/nodes`}
    pollMs={2_000}
    caption="Nodes"
    columns={columns}
  />
);

const columns: readonly Column<NodeRow>[] = [
  textColumn('id', 'Node', ({ id, host, worker }) => (
    <>
      <code>{id}</code>
      <p class="soft">
        {host}
        {worker !== null && `, worker ${worker}`}
      </p>
    </>
  )),
  textColumn('state', 'State', ({ closed }) => <GoneStatus state={closed ? 'closed' : 'active'} />),
  textColumn('version', 'Version', ({ version, commit_date }) =>
    [version, commit_date].filter(Boolean).join(' · '),
  ),
  textColumn('config', 'Configuration', ({ config_hash, config_differs }) => (
    <>
      <code>{config_hash.slice(0, 8)}</code> {config_differs && <Badge tone="warning">differs</Badge>}
    </>
  )),
  timeColumn('heartbeat', 'Heartbeat', ({ heartbeat }) => heartbeat),
  minor(timeColumn('started', 'Started', ({ started_at }) => started_at)),
  sortedBy(
    ({ open_requests }) => open_requests,
    numberColumn('open', 'Open requests', ({ open_requests }) => open_requests),
  ),
  minor(
    textColumn(
      'shares',
      'Shares',
      ({ shares }) =>
        Object.entries(shares)
          .map(([provider, slots]) => `${provider} ${slots}`)
          .join(', ') || 'all',
    ),
  ),
];
