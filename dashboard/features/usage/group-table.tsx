import type { ComponentChildren } from 'preact';
import type { UsageFigures, UsageGroup, UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
import { withQuery } from '../../app/address.ts';
import type { KeyLabels } from '../../app/use-key-names.ts';
import type { Column } from '../../components/column.ts';
import { buttonColumn, minor, numberColumn, sortedBy, textColumn } from '../../components/columns.tsx';
import { formatNumber, formatTokens } from '../../components/format.ts';
import { formatMicrocredits, formatMicrocreditsInUsd } from '../../components/microcredits.ts';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { groupName } from './group-name.ts';
import { requestsBehind, type UsageState } from './usage-state.ts';

const HEADERS = { model: 'Model', key: 'Key', user: 'User' } as const;

/** A group, or the sum of the groups that are not listed, which has no id. */
type Row = UsageFigures & { id: string | null; label: string };

type GroupTableProps = { report: UsageReport; state: UsageState; keys: KeyLabels };

/** The figures of each group, with links to its requests. */
export function GroupTable({ report, state, keys }: GroupTableProps) {
  const { by, groups, rest, totals } = report;
  const rows: Row[] = groups.map((group: UsageGroup) => ({
    ...group,
    label: groupName(group.id, by, keys),
  }));
  if (rest) rows.push({ ...rest, id: null, label: `${formatNumber(rest.groups)} others` });
  const columns: Column<Row>[] = [
    sortedBy(
      ({ label }) => label,
      textColumn('group', HEADERS[by], ({ id, label }) =>
        !id ? label : <a href={withQuery({ [by]: id, by: null })}>{label}</a>,
      ),
    ),
    figureColumn('requests', { header: 'Requests', figure: 'requests', format: formatNumber }),
    figureColumn('errors', { header: 'Errors', figure: 'errors', format: formatNumber }),
    minor(
      figureColumn('uncached', {
        header: 'Uncached input',
        figure: 'uncached_input_tokens',
        format: formatTokens,
      }),
    ),
    minor(
      figureColumn('cached', {
        header: 'Cached input',
        figure: 'cached_input_tokens',
        format: formatTokens,
      }),
    ),
    minor(figureColumn('output', { header: 'Output', figure: 'output_tokens', format: formatTokens })),
    figureColumn('spend', { header: 'Spend', figure: 'microcredits', format: formatSpend }),
    buttonColumn('open', 'Requests of the group', ({ id, label }) =>
      !id ? null : (
        <a href={requestsBehind(state, report, { [by]: id })}>
          View<span class="hidden"> the requests of {label}</span>
        </a>
      ),
    ),
  ];
  return (
    <Section
      title={`By ${by}`}
      lead={
        by === 'user' ? userLead(report) : 'A request counts when it is charged. Errors are counted apart.'
      }
    >
      <Table
        caption={`Usage by ${by}`}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => (id === null ? 'rest' : `group ${id}`)}
        totals={{
          group: 'Total',
          requests: formatNumber(totals.requests),
          errors: formatNumber(totals.errors),
          uncached: formatTokens(totals.uncached_input_tokens),
          cached: formatTokens(totals.cached_input_tokens),
          output: formatTokens(totals.output_tokens),
          spend: formatMicrocreditsInUsd(totals.microcredits),
        }}
      />
    </Section>
  );
}

const formatSpend = (microcredits: number) => (
  <span title={`${formatMicrocredits(microcredits)} credits`}>{formatMicrocreditsInUsd(microcredits)}</span>
);

const userLead = ({ most_users }: UsageReport): string =>
  `A request names its end user as safety_identifier, user or metadata.user_id. At most ${most_users} users are tracked each day.`;

type FigureColumn = {
  header: string;
  figure: keyof UsageFigures;
  format(value: number): ComponentChildren;
};

const figureColumn = (key: string, { header, figure, format }: FigureColumn): Column<Row> =>
  sortedBy(
    (row) => row[figure],
    numberColumn(key, header, (row) => format(row[figure])),
  );
