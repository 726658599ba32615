import type { UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/column.ts';
import { minor, numberColumn, sortedBy, textColumn } from '../../components/columns.tsx';
import { formatNumber, formatPercent } from '../../components/format.ts';
import { formatStep } from '../../components/format-time.ts';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { requestsBehind, type UsageState } from './usage-state.ts';

type Row = UsageReport['codes'][number];

/** The errors of the span by their codes, with links to the requests. */
export function ErrorTable({ report, state }: { report: UsageReport; state: UsageState }) {
  if (report.codes.length === 0) return null;
  const columns: Column<Row>[] = [
    sortedBy(
      ({ code }) => code,
      textColumn('code', 'Error', ({ code }) => (
        <a href={requestsBehind(state, report, { code })}>
          <code>{code}</code>
        </a>
      )),
    ),
    sortedBy(
      ({ status }) => status,
      textColumn('status', 'Status', ({ status }) => (
        <Badge tone={status >= 500 ? 'bad' : 'warning'}>{status}</Badge>
      )),
    ),
    sortedBy(
      ({ errors }) => errors,
      numberColumn('count', 'Requests', ({ errors }) => formatNumber(errors)),
    ),
    minor(
      numberColumn('share', 'Share', ({ errors }) =>
        formatPercent(errors / Math.max(1, report.totals.errors)),
      ),
    ),
  ];
  return (
    <Section
      title="Errors"
      lead={
        report.from < report.detailed_from &&
        `Errors are kept since ${formatStep(report.detailed_from, 'day')}.`
      }
    >
      <Table
        caption="Errors by code"
        columns={columns}
        rows={report.codes}
        rowKey={({ code }) => code}
        sortParam="error_sort"
      />
    </Section>
  );
}
