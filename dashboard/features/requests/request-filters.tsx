import { queryValue, setQuery } from '../../app/address.ts';
import { useKeyNames } from '../../app/use-key-names.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx';
import { Select } from '../../components/select.tsx';

const HOUR_MS = 3_600_000;

const spans = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
] as const;

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

const names = [
  'id',
  'key',
  'model',
  'user',
  'source',
  'status',
  'code',
  'hours',
  'since',
  'until',
  'after',
] as const;

/** The address has a search. */
export const isSearch = (): boolean => names.some((name) => queryValue(name) !== '');

/** The search. All of it is in the address. */
export function RequestFilters() {
  const keys = useKeyNames();
  const status = queryValue('status');
  const known = statuses.some(({ value }) => value === status);
  const since = queryValue('since');
  return (
    <Filters>
      <TextFilter param="id" label="Request id" placeholder="req_… or the answer's id" />
      <ChoiceFilter
        param="status"
        label="Status"
        options={known ? statuses : [...statuses, { value: status, label: status }]}
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
      <Select
        label="Time"
        options={since ? [...spans, { value: 'given', label: givenSpan(since, queryValue('until')) }] : spans}
        value={since ? 'given' : queryValue('hours')}
        onChange={(hours) => setQuery({ hours, since: null, until: null, after: null })}
      />
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

const givenSpan = (since: string, until: string): string =>
  `${short(since)} to ${until === '' ? 'now' : short(until)} UTC`;

const short = (time: string): string => time.slice(0, 16).replace('T', ' ');

/** The parameters of the API for the search in the address. The start is rounded, so that the answer can be kept. */
export function searched(): Record<string, string> {
  const hours = Number(queryValue('hours'));
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  const since = hours > 0 ? new Date(minute - hours * HOUR_MS).toISOString() : queryValue('since');
  const texts = ['id', 'key', 'model', 'user', 'source', 'status', 'code', 'until', 'after'] as const;
  return { ...Object.fromEntries(texts.map((name) => [name, queryValue(name)])), since };
}
