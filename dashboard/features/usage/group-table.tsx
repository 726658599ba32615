import type { UsageFigures, UsageGroup, UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
import { withQuery } from '../../app/address.ts';
import type { KeyLabels } from '../../app/use-key-names.ts';
import { buttonColumn, minor, numberColumn, sortedBy, textColumn } from '../../components/columns.tsx';
import { formatCredits, formatNumber, formatTokens, formatUsd } from '../../components/format.ts';
import { Section } from '../../components/section.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { groupName } from './group-name.ts';
import { usdOf } from './metrics.ts';
import { requestsBehind, type UsageState } from './usage-state.ts';

const HEADERS = { model: 'Model', key: 'Key', user: 'User' } as const;

type Row = UsageFigures & { id: string; label: string; isRest: boolean };

type GroupTableProps = { report: UsageReport; state: UsageState; keys: KeyLabels };

/** The figures of each group, with links to its requests. */
export function GroupTable({ report, state, keys }: GroupTableProps) {
  const { by, groups, rest, totals } = report;
  const rows: Row[] = groups.map((group: UsageGroup) => ({
    ...group,
    label: groupName(group.id, by, keys),
    isRest: false,
  }));
  if (rest) rows.push({ ...rest, id: ' rest', label: `${formatNumber(rest.groups)} others`, isRest: true });
  const columns: Column<Row>[] = [
    sortedBy(
      ({ label }) => label,
      textColumn('group', HEADERS[by], ({ id, label, isRest }) =>
        isRest || id === '' ? label : <a href={withQuery({ [by]: id, by: null })}>{label}</a>,
      ),
    ),
    sortedBy(
      ({ requests }) => requests,
      numberColumn('requests', 'Requests', ({ requests }) => formatNumber(requests)),
    ),
    sortedBy(
      ({ errors }) => errors,
      numberColumn('errors', 'Errors', ({ errors }) => formatNumber(errors)),
    ),
    tokens('uncached', 'Uncached input', 'uncached_input_tokens'),
    tokens('cached', 'Cached input', 'cached_input_tokens'),
    tokens('output', 'Output', 'output_tokens'),
    sortedBy(({ microcredits }) => microcredits, numberColumn('spend', 'Spend', Spend)),
    buttonColumn('open', 'Requests of the group', ({ id, label, isRest }) =>
      isRest || id === '' ? null : (
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
        totals={{
          group: 'Total',
          requests: formatNumber(totals.requests),
          errors: formatNumber(totals.errors),
          uncached: formatTokens(totals.uncached_input_tokens),
          cached: formatTokens(totals.cached_input_tokens),
          output: formatTokens(totals.output_tokens),
          spend: formatUsd(usdOf(totals.microcredits)),
        }}
      />
    </Section>
  );
}

const Spend = ({ microcredits }: UsageFigures) => (
  <span title={`${formatCredits(microcredits / 1_000_000)} credits`}>{formatUsd(usdOf(microcredits))}</span>
);

const userLead = ({ most_users }: UsageReport): string =>
  `A request names its end user as safety_identifier, user or metadata.user_id. At most ${most_users} users a day are told apart.`;

const tokens = (key: string, header: string, figure: keyof UsageFigures): Column<Row> =>
  minor(
    sortedBy(
      (row) => row[figure],
      numberColumn(key, header, (row) => formatTokens(row[figure])),
    ),
  );
