import { useState } from 'preact/hooks';
import { queryValue, setQuery, withParameters } from '../../app/address.ts';
import { useDebounced } from '../../app/use-debounced.ts';
import { useQuery } from '../../app/use-query.ts';
import { Combobox } from '../../components/combobox.tsx';
import { nameOf } from './known-names.tsx';
import { type ListOf, OPERATOR } from './operator-api.ts';
import type { AccountRow } from './rows.ts';

const MAX_FOUND = 20;
const ACCOUNT_ID = /^acct_\w+$/;

/** The choice of an account by its name, its email or its id. The address has the id. */
export function AccountFilter() {
  const chosen = queryValue('account');
  const [text, setText] = useState('');
  const search = useDebounced(text.trim());
  const path = withParameters(`${OPERATOR}/accounts`, { search, limit: MAX_FOUND });
  const { data } = useQuery<ListOf<AccountRow>>(path);
  const foundOptions = (data?.data ?? []).map(({ id, name, email }) => ({
    value: id,
    label: name,
    hint: email ?? `${id.slice(0, 12)}…`,
  }));
  const isListed = chosen === '' || foundOptions.some(({ value }) => value === chosen);
  const chosenOptions = isListed ? [] : [{ value: chosen, label: nameOf(chosen) ?? chosen }];
  // A name that is typed and not chosen is not the id of an account.
  const choose = (account: string) => {
    if (account === '' || ACCOUNT_ID.test(account)) setQuery({ account, after: null });
  };
  return (
    <Combobox
      label="Account"
      placeholder="All accounts"
      options={[...foundOptions, ...chosenOptions]}
      value={chosen}
      onSearch={setText}
      onChange={choose}
      isOpenEnded
    />
  );
}
