import { useQuery } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { GoneStatus } from './health-status.tsx';
import { type List, OPERATOR } from './operator-api.ts';
import type { NodeRow } from './rows.ts';

/** The processes of the installation. */
export function NodesPage() {
  const nodes = useQuery<List<NodeRow>>(`${OPERATOR}/nodes`, { pollMs: 2_000 });
  return (
    <>
      <PageHeader
        title="Nodes"
        lead="Nodes are the processes that share the store. A node without a heartbeat for ten seconds is closed by the others."
      />
      <Loaded query={nodes}>
        {({ data }) => <Table caption="Nodes" columns={columns} rows={data} rowKey={({ id }) => id} />}
      </Loaded>
    </>
  );
}

const columns: readonly Column<NodeRow>[] = [
  {
    key: 'id',
    header: 'Node',
    cell: ({ id, host, worker }) => (
      <>
        <code>{id}</code>
        <p class="soft">
          {host}
          {worker !== null && `, worker ${worker}`}
        </p>
      </>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ closed }) => <GoneStatus state={closed ? 'closed' : 'active'} />,
  },
  {
    key: 'version',
    header: 'Version',
    cell: ({ version, commit_date }) => [version, commit_date].filter(Boolean).join(' · '),
  },
  {
    key: 'config',
    header: 'Configuration',
    cell: ({ config_hash, config_differs }) => (
      <>
        <code>{config_hash.slice(0, 8)}</code> {config_differs && <Badge tone="warning">differs</Badge>}
      </>
    ),
  },
  { key: 'heartbeat', header: 'Heartbeat', cell: ({ heartbeat }) => <Time at={heartbeat} isRelative /> },
  {
    key: 'started',
    header: 'Started',
    isMinor: true,
    cell: ({ started_at }) => <Time at={started_at} isRelative />,
  },
  {
    key: 'open',
    header: 'Open requests',
    isNumber: true,
    cell: ({ open_requests }) => open_requests,
    sortValue: ({ open_requests }) => open_requests,
  },
  {
    key: 'shares',
    header: 'Shares',
    isMinor: true,
    cell: ({ shares }) =>
      Object.entries(shares)
        .map(([provider, slots]) => `${provider} ${slots}`)
        .join(', ') || 'all',
  },
];
