import type { ComponentChildren } from 'preact';
import type { UsageFigures, UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
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

const HEADERS: Readonly<Record<UsageReport['by'], string>> = { model: 'Model', key: 'Key', user: 'User' };

/** A group, or the sum of the groups that are not listed, which has no id. */
type Row = UsageFigures & { id: string | null; label: string };

type GroupTableProps = { report: UsageReport; state: UsageState; keys: KeyLabels };

/** The figures of each group, with links to its requests. */
export function GroupTable({ report, state, keys }: GroupTableProps) {
  const { by, totals } = report;
  return (
    <Section
      title={`By ${by}`}
      lead={
        by === 'user' ? userLead(report) : 'A request counts when it is charged. Errors are counted apart.'
      }
    >
      <Table
        caption={`Usage by ${by}`}
        columns={columnsOf(report, state)}
        rows={rowsOf(report, keys)}
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

/** Returns a row for each listed group, and one for all others. */
function rowsOf({ by, groups, rest }: UsageReport, keys: KeyLabels): Row[] {
  const rows = groups.map((group): Row => ({ ...group, label: groupName(group.id, by, keys) }));
  return rest ? [...rows, { ...rest, id: null, label: `${formatNumber(rest.groups)} others` }] : rows;
}

function columnsOf(report: UsageReport, state: UsageState): readonly Column<Row>[] {
  const { by } = report;
  return [
    sortedBy(
      ({ label }) => label,
      textColumn('group', HEADERS[by], ({ id, label }) =>
        id ? <a href={withQuery({ [by]: id, by: null })}>{label}</a> : label,
      ),
    ),
    figureColumn('requests', 'Requests', ['requests', formatNumber]),
    figureColumn('errors', 'Errors', ['errors', formatNumber]),
    minor(figureColumn('uncached', 'Uncached input', ['uncached_input_tokens', formatTokens])),
    minor(figureColumn('cached', 'Cached input', ['cached_input_tokens', formatTokens])),
    minor(figureColumn('output', 'Output', ['output_tokens', formatTokens])),
    figureColumn('spend', 'Spend', ['microcredits', formatSpend]),
    buttonColumn(
      'open',
      'Requests of the group',
      ({ id, label }) =>
        id && (
          <a href={requestsBehind(state, report, { [by]: id })}>
            View<span class="hidden"> the requests of {label}</span>
          </a>
        ),
    ),
  ];
}

const formatSpend = (microcredits: number) => (
  <span title={`${formatMicrocredits(microcredits)} credits`}>{formatMicrocreditsInUsd(microcredits)}</span>
);

const userLead = ({ most_users }: UsageReport): string =>
  `A request names its end user as safety_identifier, user or metadata.user_id. At most ${most_users} users are tracked each day.`;

type ShownFigure = readonly [figure: keyof UsageFigures, format: (value: number) => ComponentChildren];

const figureColumn = (key: string, header: string, [figure, format]: ShownFigure): Column<Row> =>
  sortedBy(
    (row) => row[figure],
    numberColumn(key, header, (row) => format(row[figure])),
  );
