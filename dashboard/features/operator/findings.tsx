import type { Query } from '../../app/use-query.ts';
import type { Column } from '../../components/column.ts';
import { headerColumn, textColumn } from '../../components/columns.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Table } from '../../components/table.tsx';
import { FaultCalls } from './fault-calls.tsx';
import { HealthStatus } from './health-status.tsx';
import { providerHref } from './provider-href.ts';
import type { Doctor, FaultRow, Finding } from './rows.ts';
import { useFaults } from './use-faults.ts';

type Row = Finding & { fault?: FaultRow };

const rankByStatus: Readonly<Record<Finding['status'], number>> = { fail: 0, warn: 1, ok: 2 };

/** The checks of this node and the faults of providers, the worst first. */
export function Findings({ doctor }: { doctor: Query<Doctor> }) {
  const faults = useFaults();
  return (
    <Loaded query={doctor}>
      {({ findings }) => (
        <Table<Row>
          caption="Findings"
          columns={columns}
          rows={[...(faults.data?.data ?? []).map(findingOf), ...findings].sort(worstFirst)}
          rowKey={({ check, message, fault }) => fault?.id ?? `${check} ${message}`}
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

const worstFirst = (a: Row, b: Row): number => rankByStatus[a.status] - rankByStatus[b.status];

const columns: readonly Column<Row>[] = [
  textColumn('status', 'State', ({ status }) => <HealthStatus state={status} />),
  headerColumn('check', 'Check', ({ check, fault }) =>
    fault ? <a href={providerHref(fault.provider)}>{check}</a> : check,
  ),
  textColumn('message', 'Finding', ({ message, fault }) => (
    <>
      {message}
      {fault && (
        <p class="soft">
          <FaultCalls fault={fault} />
        </p>
      )}
    </>
  )),
  textColumn('mend', 'Remedy', ({ mend }) => mend ?? '–'),
];
