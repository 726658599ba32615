import type { Query } from '../../app/use-query.ts';
import { headerColumn, textColumn } from '../../components/columns.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { countText, useFaults } from './fault-table.tsx';
import { HealthStatus } from './health-status.tsx';
import type { Doctor, FaultRow, Finding } from './rows.ts';

type Row = Finding & { fault?: FaultRow };

/** The checks of this node and the faults of providers, the worst first. */
export function Findings({ doctor }: { doctor: Query<Doctor> }) {
  const faults = useFaults();
  return (
    <Loaded query={doctor}>
      {({ findings }) => (
        <Table
          caption="Findings"
          columns={columns}
          rows={[...(faults.data?.data ?? []).map(findingOf), ...findings].sort(worstFirst)}
          rowKey={({ check, message }) => `${check} ${message}`}
        />
      )}
    </Loaded>
  );
}

const findingOf = (fault: FaultRow): Row => ({
  check: `provider ${fault.provider}`,
  status: fault.severity === 'error' ? 'fail' : 'warn',
  message: fault.reason,
  mend: fault.remedy,
  fault,
});

const order: readonly Finding['status'][] = ['fail', 'warn', 'ok'];
const worstFirst = (one: Row, other: Row): number => order.indexOf(one.status) - order.indexOf(other.status);

const columns: readonly Column<Row>[] = [
  textColumn('status', 'State', ({ status }) => <HealthStatus state={status} />),
  headerColumn('check', 'Check', ({ check, fault }) =>
    fault ? <a href={`/operator/providers/${encodeURIComponent(fault.provider)}`}>{check}</a> : check,
  ),
  textColumn('message', 'Finding', ({ message, fault }) => (
    <>
      {message}
      {fault && (
        <p class="soft">
          First <Time at={fault.first_at} isRelative />, last <Time at={fault.last_at} isRelative />, failed
          calls: {countText(fault)}
        </p>
      )}
    </>
  )),
  textColumn('mend', 'Remedy', ({ mend }) => mend ?? '–'),
];
