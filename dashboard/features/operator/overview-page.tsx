import { useEvents } from '../../app/events.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { formatNumber } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { AlertTable } from './alert-table.tsx';
import { FaultTable } from './fault-table.tsx';
import { type ListOf, OPERATOR } from './operator-api.ts';
import { RefusalCauses } from './refusal-causes.tsx';
import type { AlertRow, Doctor, FaultRow, NodeRow, ProviderRow } from './rows.ts';
import { useFaults } from './use-faults.ts';

const POLL_MS = 5_000;

/** Shows operators the current problems and the traffic first. */
export function OverviewPage() {
  const providers = useQuery<ListOf<ProviderRow>>(`${OPERATOR}/providers`, { pollMs: POLL_MS });
  const nodes = useQuery<ListOf<NodeRow>>(`${OPERATOR}/nodes`, { pollMs: POLL_MS });
  const alerts = useQuery<ListOf<AlertRow>>(`${OPERATOR}/alerts?limit=5`, {
    pollMs: POLL_MS,
    follows: 'operations',
  });
  useEvents({ topic: 'operations' }, () => void providers.refresh());
  const faults = useFaults();
  const doctor = useQuery<Doctor>(`${OPERATOR}/doctor`, { pollMs: 60_000 });
  const unread = [providers, nodes, doctor].find(({ problem }) => problem);
  const serving = nodes.data?.data.filter(({ closed }) => closed === null);
  return (
    <>
      <PageHeader
        title="Operations"
        lead="The state of this installation. It is refreshed every five seconds."
      />
      {unread?.problem && <ProblemNotice problem={unread.problem} />}
      <Problems doctor={doctor.data} providers={providers.data?.data} nodes={serving} />
      <Stats>
        <Stat
          label="Calls in progress"
          value={sum(providers.data?.data, ({ slots_in_use }) => slots_in_use)}
          href="/operator/providers"
        />
        <Stat
          label="Queued requests"
          value={sum(providers.data?.data, ({ queue_length }) => queue_length)}
          href="/operator/queue"
        />
        <Stat
          label="Providers with a fault"
          value={faultyCount(providers.data?.data, faults.data?.data)}
          href="/operator/providers"
        />
        <Stat label="Nodes" value={serving?.length} href="/operator/nodes" />
      </Stats>
      <FaultTable faults={faults} />
      <RefusalCauses />
      <Section title="Latest alerts" actions={<LinkButton href="/operator/status">All checks</LinkButton>}>
        <AlertTable query={alerts} />
      </Section>
    </>
  );
}

const sum = <Row,>(rows: readonly Row[] | undefined, numberOf: (row: Row) => number): string | undefined =>
  rows && formatNumber(rows.reduce((total, row) => total + numberOf(row), 0));

const ailingStates: ReadonlySet<ProviderRow['health']> = new Set(['down', 'faulty', 'degraded']);

const ailingIn = (providers: readonly ProviderRow[]): ProviderRow[] =>
  providers.filter(({ health }) => ailingStates.has(health));

/** Counts the providers of either list. A fallback can hide a fault from the health. */
function faultyCount(
  providers: readonly ProviderRow[] | undefined,
  faults: readonly FaultRow[] = [],
): number | undefined {
  if (!providers) return undefined;
  const ids = [...ailingIn(providers).map(({ id }) => id), ...faults.map(({ provider }) => provider)];
  return new Set(ids).size;
}

type ProblemsProps = {
  doctor: Doctor | undefined;
  providers: readonly ProviderRow[] | undefined;
  nodes: readonly NodeRow[] | undefined;
};

/** The problems of the installation: failed checks, ailing providers, and nodes that differ. */
function Problems({ doctor, providers = [], nodes = [] }: ProblemsProps) {
  const failed = doctor?.findings.filter(({ status }) => status === 'fail') ?? [];
  const drifted = nodes.filter(({ config_differs }) => config_differs);
  return (
    <>
      {failed.map(({ check, message, mend }) => (
        <Notice key={`${check} ${message}`} kind="error" title={message}>
          {mend}
        </Notice>
      ))}
      {ailingIn(providers).map(({ id, health, last_error }) => (
        <Notice
          key={id}
          kind={health === 'down' ? 'error' : 'warning'}
          title={`The provider ${id} is ${health}`}
          actions={<LinkButton href="/operator/providers">Providers</LinkButton>}
        >
          {last_error?.message ?? 'Its latest calls failed.'}
        </Notice>
      ))}
      {drifted.length > 0 && (
        <Notice kind="warning" title="The nodes have different configurations">
          {drifted.map(({ id }) => id).join(', ')}
        </Notice>
      )}
    </>
  );
}
