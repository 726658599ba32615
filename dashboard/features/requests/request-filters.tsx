import { queryValue, setQuery } from '../../app/address.ts';
import { useKeyNames } from '../../app/use-key-names.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx';
import { chosenSpan, spanParams, TimeFilter } from '../../components/time-filter.tsx';

const statuses = [
  { value: '', label: 'Any status' },
  { value: '2xx', label: '2xx completed' },
  { value: 'failed', label: 'All errors' },
  { value: '4xx', label: '4xx refused' },
  { value: '402', label: '402 no credit' },
  { value: '429', label: '429 too many' },
  { value: '5xx', label: '5xx failed' },
];

const sources = [
  { value: '', label: 'Any source' },
  { value: 'api', label: 'API' },
  { value: 'batch', label: 'Batches' },
  { value: 'playground', label: 'Playground' },
];

const texts = ['id', 'key', 'model', 'user', 'source', 'status', 'code', 'after'] as const;
const names = [...texts, ...spanParams];

/** The address has a search. */
export const isSearch = (): boolean => names.some((name) => queryValue(name) !== '');

/** The search. The address keeps all of its fields. */
export function RequestFilters() {
  const keys = useKeyNames();
  const status = queryValue('status');
  const isListed = statuses.some(({ value }) => value === status);
  return (
    <Filters>
      <TextFilter param="id" label="Request id" placeholder="req_… or the answer's id" />
      <ChoiceFilter
        param="status"
        label="Status"
        options={isListed ? statuses : [...statuses, { value: status, label: status }]}
      />
      <ChoiceFilter
        param="key"
        label="Key"
        options={[{ value: '', label: 'All keys' }, ...[...keys].map(([value, label]) => ({ value, label }))]}
      />
      <TextFilter param="model" label="Model" placeholder="Any model" />
      <TextFilter param="user" label="User" placeholder="Any end user" />
      <ChoiceFilter param="source" label="Source" options={sources} />
      <TextFilter param="code" label="Error code" placeholder="Any code" />
      <TimeFilter />
      {isSearch() && (
        <Button
          onClick={() => setQuery(Object.fromEntries(names.map((name) => [name, null])), { replace: false })}
        >
          Clear
        </Button>
      )}
    </Filters>
  );
}

/** Returns the parameters of the API for the search in the address. */
export const searched = (): Record<string, string> => ({
  ...Object.fromEntries(texts.map((name) => [name, queryValue(name)])),
  ...chosenSpan(),
});
