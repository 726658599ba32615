import type { EntriesView } from '../../../src/console/dashboard/entry-schema.ts';
import { queryValue, withParameters, withQuery } from '../../app/address.ts';
import { useQuery } from '../../app/use-query.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import type { Column } from '../../components/column.ts';
import { minor, numberColumn, textColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatCount, formatCredits } from '../../components/format.ts';
import { formatDateTime } from '../../components/format-time.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';

type Line = EntriesView['data'][number];

const kindBadges: Readonly<Record<Line['kind'], { label: string; tone: Tone }>> = {
  usage: { label: 'Usage', tone: 'neutral' },
  grant: { label: 'Grant', tone: 'good' },
  purchase: { label: 'Purchase', tone: 'good' },
  renewal: { label: 'Renewal', tone: 'accent' },
  adjustment: { label: 'Adjustment', tone: 'warning' },
};

/** Lists the changes of the credit, newest first, with the purchased credit after each line. */
export function MoneyEntries({ path }: { path: string }) {
  const [after, purchased] = queryValue('after').split('~');
  const entries = useQuery<EntriesView>(withParameters(`${path}/entries`, { after, purchased }));
  return (
    <Section
      title="Entries"
      lead="Each line is a grant, a purchase, a renewal or an adjustment. Usage between two of them is one line."
    >
      <Loaded query={entries}>
        {({ data, next }) => (
          <>
            <Table
              caption="Entries of the ledger"
              columns={columns}
              rows={data}
              rowKey={({ id, from, balance }) => id ?? `${from} ${balance}`}
              empty={
                <EmptyState title="No entries yet">Purchases, grants and renewals appear here.</EmptyState>
              }
            />
            <Pagination next={next && `${next.after}~${next.purchased}`} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const columns: readonly Column<Line>[] = [
  textColumn('time', 'Time', ({ from, to }) => spanText(formatDateTime(from), formatDateTime(to))),
  textColumn('kind', 'Kind', ({ kind }) => (
    <Badge tone={kindBadges[kind].tone}>{kindBadges[kind].label}</Badge>
  )),
  textColumn('what', 'What', (line) => <What line={line} />),
  minor(textColumn('balance', 'Balance', ({ balance }) => balance)),
  numberColumn('credits', 'Credits', (line) => changeOf(line)),
  numberColumn('after', 'Purchased after', ({ purchased_credits_after: left, debt_credits_after: debt }) =>
    debt > 0 ? `${formatCredits(debt)} owed` : formatCredits(left),
  ),
];

function What({ line: { id, kind, reason, requests, from, to } }: { line: Line }) {
  if (id !== null)
    return <a href={withQuery({ entry: id })}>{reason ?? `${kindBadges[kind].label} ${id.slice(-6)}`}</a>;
  // A range does not include its end.
  const until = new Date(Date.parse(to) + 1_000).toISOString();
  const query = new URLSearchParams({ since: from, until });
  return <a href={`/requests?${query}`}>{formatCount(requests ?? 0, 'request')}</a>;
}

const spanText = (from: string, to: string): string => (from === to ? to : `${from} to ${to}`);

/** A renewal replaces the monthly credits, so it adds nothing to a sum. */
const changeOf = ({ kind, credits }: Line): string =>
  kind === 'renewal' ? formatCredits(credits) : `${credits > 0 ? '+' : ''}${formatCredits(credits)}`;
