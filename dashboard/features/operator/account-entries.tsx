import { useState } from 'preact/hooks';
import { queryValue, withParameters } from '../../app/address.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Section } from '../../components/section.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { EntryReceipt, formatMicrocredits } from './entry-receipt.tsx';
import { accountPath, type List } from './operator-api.ts';
import type { EntryRow } from './rows.ts';

/** The ledger entries of an account, newest first. */
export function AccountEntries({ accountId }: { accountId: string }) {
  const [shown, setShown] = useState<EntryRow>();
  const page = { limit: '20', after: queryValue('entry') };
  const list = useQuery<List<EntryRow>>(withParameters(`${accountPath(accountId)}/ledger`, page));
  return (
    <Section title="Ledger">
      <Loaded query={list}>
        {({ data, has_more }) => (
          <>
            <Table
              caption="Ledger entries"
              columns={columnsFor(setShown)}
              rows={data}
              rowKey={({ id }) => id}
              sortParam="entry-sort"
              empty={<p class="soft">The account has no entries.</p>}
            />
            <Pagination next={has_more ? data.at(-1)?.id : null} param="entry" />
          </>
        )}
      </Loaded>
      {shown && (
        <Dialog title="Ledger entry" onClose={() => setShown(undefined)}>
          <EntryReceipt entry={shown} />
        </Dialog>
      )}
    </Section>
  );
}

const columnsFor = (onShow: (entry: EntryRow) => void): readonly Column<EntryRow>[] => [
  { key: 'at', header: 'Time', cell: ({ at }) => <Time at={at} /> },
  {
    key: 'kind',
    header: 'Kind',
    cell: ({ kind, reason }) => (
      <>
        {kind} {reason && <span class="soft">{reason}</span>}
      </>
    ),
  },
  {
    key: 'model',
    header: 'Model',
    isMinor: true,
    cell: ({ served_model, model }) => served_model ?? model ?? '–',
  },
  { key: 'balance', header: 'Balance', isMinor: true, cell: ({ balance }) => balance },
  {
    key: 'credits',
    header: 'Credits',
    isNumber: true,
    cell: ({ microcredits }) => formatMicrocredits(microcredits),
  },
  {
    key: 'show',
    header: 'Receipt',
    hidesHeader: true,
    cell: (entry) => (
      <Button kind="quiet" label={`Show the entry ${entry.id}`} onClick={() => onShow(entry)}>
        Show
      </Button>
    ),
  },
];
