import type { EntryDetail } from '../../../src/console/dashboard/entry-schema.ts';
import { queryValue, setQuery } from '../../app/address.ts';
import { useQuery } from '../../app/use-query.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatCredits } from '../../components/format.ts';
import { formatDateTimeToSecond } from '../../components/format-time.ts';
import { Loaded } from '../../components/loaded.tsx';

/** The entry that the address names, as the ledger has it. */
export function EntryDialog({ path }: { path: string }) {
  const id = queryValue('entry');
  return id === '' ? null : <Entry key={id} path={`${path}/entries/${encodeURIComponent(id)}`} />;
}

function Entry({ path }: { path: string }) {
  const entry = useQuery<EntryDetail>(path);
  return (
    <Dialog title="Entry of the ledger" onClose={() => setQuery({ entry: null })} isWide>
      <Loaded query={entry}>
        {(found) => (
          <Facts
            facts={[
              ['Id', <code class="entry-id">{found.id}</code>],
              ['Time', formatDateTimeToSecond(found.at)],
              ['Kind', found.kind],
              ['Balance', found.balance],
              ['Credits', formatCredits(found.credits)],
              ['Reason', found.reason],
              ['Number in the ledger', found.sequence],
              ['Hash', <code class="entry-id">{found.hash}</code>],
            ]}
          />
        )}
      </Loaded>
    </Dialog>
  );
}
