import { queryValue, withParameters } from '../../app/address.ts';
import { useQuery } from '../../app/use-query.ts';
import type { Column } from '../../components/column.ts';
import { buttonColumn, minor, numberColumn, textColumn } from '../../components/columns.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import { List } from '../../components/list.tsx';
import { formatMicrocredits } from '../../components/microcredits.ts';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { EntryReceipt } from './entry-receipt.tsx';
import { accountPath, type ListOf } from './operator-api.ts';
import type { EntryRow } from './rows.ts';

/** The ledger entries of an account, newest first. */
export function AccountEntries({ accountId }: { accountId: string }) {
  const page = { limit: '20', after: queryValue('entry') };
  const query = useQuery<ListOf<EntryRow>>(withParameters(`${accountPath(accountId)}/ledger`, page));
  return (
    <Section title="Ledger">
      <List
        query={query}
        caption="Ledger entries"
        columns={columns}
        sortParam="entry-sort"
        cursorParam="entry"
        empty={<p class="soft">The account has no entries.</p>}
      />
    </Section>
  );
}

const columns: readonly Column<EntryRow>[] = [
  textColumn('at', 'Time', ({ at }) => <Time at={at} />),
  textColumn('kind', 'Kind', ({ kind, reason }) => (
    <>
      {kind} {reason && <span class="soft">{reason}</span>}
    </>
  )),
  minor(textColumn('model', 'Model', ({ served_model, model }) => served_model ?? model ?? '–')),
  minor(textColumn('balance', 'Balance', ({ balance }) => balance)),
  numberColumn('credits', 'Credits', ({ microcredits }) => formatMicrocredits(microcredits)),
  buttonColumn('show', 'Receipt', (entry) => (
    <DialogButton kind="quiet" label="Show" about={`Show the entry ${entry.id}`}>
      {(close) => (
        <Dialog title="Ledger entry" onClose={close}>
          <EntryReceipt entry={entry} />
        </Dialog>
      )}
    </DialogButton>
  )),
];
