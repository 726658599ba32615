import { useState } from 'preact/hooks';
import { withParameters } from '../../app/address.ts';
import { useDebounced } from '../../app/use-debounced.ts';
import { useQuery } from '../../app/use-query.ts';
import { Combobox, type ComboboxOption } from '../../components/combobox.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';

type AccountsView = { data: { id: string; name: string }[] };

const LISTED = 20;

/** The choice of an account in a form. The server searches, so that each of many accounts is found. */
export function AccountField() {
  const [chosen, setChosen] = useState<ComboboxOption>();
  const [text, setText] = useState('');
  const search = useDebounced(text.trim());
  const path = withParameters('/operator/accounts', { search, limit: LISTED });
  const { data, problem } = useQuery<AccountsView>(path);
  const found = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name, hint: id }));
  const others = found.filter(({ value }) => value !== chosen?.value);
  const options = chosen ? [...others, chosen] : others;
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <Combobox
        name="account"
        label="Account"
        placeholder="Name, email or id"
        isRequired
        options={options}
        value={chosen?.value ?? ''}
        onSearch={setText}
        onChange={(id) => setChosen(options.find(({ value }) => value === id))}
      />
    </>
  );
}
