import { withParameters } from '../../app/address.ts';
import { useQuery } from '../../app/use-query.ts';
import type { Column } from '../../components/column.ts';
import { headerColumn, minor, numberColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { formatNumber } from '../../components/format.ts';
import { List } from '../../components/list.tsx';
import { Section } from '../../components/section.tsx';
import { type ListOf, OPERATOR } from './operator-api.ts';
import type { RefusalCause } from './rows.ts';

const POLL_MS = 15_000;

/** The refused requests of a day by cause, with what ends them. */
export function RefusalCauses({ account }: { account?: string }) {
  const path = withParameters(`${OPERATOR}/refusals`, { kind: 'requests', account });
  const causes = useQuery<ListOf<RefusalCause>>(path, { pollMs: POLL_MS });
  return (
    <Section title="Refused requests" lead="By cause, in the last 24 hours.">
      <List
        query={causes}
        caption="Refused requests by cause"
        columns={account === undefined ? columns : columns.filter(({ key }) => key !== 'accounts')}
        rowKey={({ code, cause }) => `${code} ${cause}`}
        sortParam="none"
        empty={<p class="soft">No request was refused.</p>}
        expectedRows={3}
      />
    </Section>
  );
}

const columns: readonly Column<RefusalCause>[] = [
  headerColumn('cause', 'Cause', ({ code, cause }) => (
    <>
      <code>{code}</code>
      {cause !== code && <span class="soft"> {cause}</span>}
    </>
  )),
  numberColumn('count', 'Requests', ({ count }) => formatNumber(count)),
  numberColumn('accounts', 'Accounts', ({ accounts }) => formatNumber(accounts)),
  minor(timeColumn('last', 'Last', ({ last_at }) => last_at)),
  textColumn('remedy', 'What ends it', ({ remedy, setting, href }) => (
    <>
      <a href={href}>{remedy}</a>
      {setting && (
        <>
          {' '}
          <code>{setting}</code>
        </>
      )}
    </>
  )),
];
