import { HOUR_MS, MINUTE_MS } from '../../src/base/lib/units.ts';
import { queryValue, setQuery } from '../app/address.ts';
import { Input } from './input.tsx';
import { Select } from './select.tsx';

const spans = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
] as const;
/** The most hours of a span. The start of a longer one may be no valid date. */
const MAX_HOURS = 100 * 366 * 24;
/** The choice of two times. */
const BETWEEN = 'between';

/** The parameters of the address that keep the span. */
export const spanParams = ['hours', 'since', 'until'] as const;

/**
 * Returns the span of the address as parameters of the API. Its start is a full minute, so that the answer
 * can be kept.
 */
export function chosenSpan(now = Date.now()): { since: string; until: string } {
  const hours = chosenHours();
  if (hours === undefined) return { since: queryValue('since'), until: queryValue('until') };
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return { since: new Date(minute - hours * HOUR_MS).toISOString(), until: '' };
}

/** Returns the length of the span of the address, or undefined if the address has none that is valid. */
export function chosenHours(): number | undefined {
  const hours = Number(queryValue('hours'));
  return hours > 0 && hours <= MAX_HOURS ? hours : undefined;
}

/** The choice of a span by its name, or between two times. The address keeps it. */
export function TimeFilter() {
  const since = queryValue('since');
  const until = queryValue('until');
  const isGiven = since !== '' || until !== '';
  const choose = (value: string) =>
    setQuery(
      value === BETWEEN
        ? { since: new Date(startOfDay()).toISOString(), until: null, hours: null, after: null }
        : { hours: value, since: null, until: null, after: null },
    );
  return (
    <>
      <Select
        label="Time"
        options={[...spans, { value: BETWEEN, label: 'Between two times' }]}
        value={isGiven ? BETWEEN : queryValue('hours')}
        onChange={choose}
      />
      {isGiven && (
        <>
          <Moment param="since" label="From" max={until} />
          <Moment param="until" label="Until" min={since} />
        </>
      )}
    </>
  );
}

type MomentProps = { param: 'since' | 'until'; label: string; min?: string; max?: string };

/** One end of the span, in the time zone of the browser. The address has it in UTC. */
const Moment = ({ param, label, min = '', max = '' }: MomentProps) => (
  <Input
    type="datetime-local"
    label={label}
    value={localOf(queryValue(param))}
    min={localOf(min)}
    max={localOf(max)}
    onInput={(text) => {
      const time = Date.parse(text);
      // While a year is typed, the field has years of the first centuries. An incomplete time is empty.
      if (time > Date.UTC(2000)) setQuery({ [param]: new Date(time).toISOString(), after: null });
    }}
  />
);

const startOfDay = (): number => new Date().setHours(0, 0, 0, 0);

/**
 * Formats a time of the API for a field of the type `datetime-local`, which has the time zone of the browser.
 */
function localOf(time: string): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return '';
  const shifted = at - new Date(at).getTimezoneOffset() * MINUTE_MS;
  return new Date(shifted).toISOString().slice(0, 16);
}
