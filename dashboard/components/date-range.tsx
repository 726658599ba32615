import { queryValue, setQuery } from '../app/address.ts';
import { Input } from './input.tsx';
import { Select } from './select.tsx';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const presets = {
  '24h': { label: 'Last 24 hours', ms: DAY_MS },
  '7d': { label: 'Last 7 days', ms: 7 * DAY_MS },
  '30d': { label: 'Last 30 days', ms: 30 * DAY_MS },
  '90d': { label: 'Last 90 days', ms: 90 * DAY_MS },
} as const;

export type RangePreset = keyof typeof presets;
export type Range = { from: string; to: string; preset: RangePreset | 'custom' };

/**
 * Returns the range of the address as ISO times. Presets end at the next full hour, so that their answers can
 * be kept.
 */
export function rangeOf(otherwise: RangePreset = '7d', now = Date.now()): Range {
  const from = queryValue('from');
  const to = queryValue('to');
  if (isDay(from) && isDay(to) && from <= to) {
    const end = new Date(Date.parse(to) + DAY_MS).toISOString();
    return { from: new Date(from).toISOString(), to: end, preset: 'custom' };
  }
  const range = queryValue('range', otherwise);
  const preset = Object.hasOwn(presets, range) ? (range as RangePreset) : otherwise;
  const end = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return { from: new Date(end - presets[preset].ms).toISOString(), to: new Date(end).toISOString(), preset };
}

/** While a year is typed, the field has years of the first centuries. */
const isDay = (text: string): boolean => /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

const dayOf = (time: string): string => time.slice(0, 10);

/**
 * The choice of a range, kept in the address as `range`, or as `from` and `to` (days in UTC, both included).
 */
export function DateRange({ otherwise = '7d' }: { otherwise?: RangePreset }) {
  const { from, to, preset } = rangeOf(otherwise);
  const lastDay = dayOf(new Date(Date.parse(to) - 1).toISOString());
  const choose = (next: string) =>
    setQuery(
      next === 'custom'
        ? { range: null, from: dayOf(from), to: lastDay, after: null }
        : { range: next === otherwise ? null : next, from: null, to: null, after: null },
      { replace: false },
    );
  const options = Object.entries(presets).map(([value, { label }]) => ({ value, label }));
  return (
    <>
      <Select
        label="Time"
        options={[...options, { value: 'custom', label: 'Custom' }]}
        value={preset}
        onChange={choose}
      />
      {preset === 'custom' && (
        <>
          <Input
            type="date"
            label="From"
            value={dayOf(from)}
            max={lastDay}
            isRequired
            onInput={(value) => isDay(value) && value <= lastDay && setQuery({ from: value, after: null })}
          />
          <Input
            type="date"
            label="To"
            value={lastDay}
            min={dayOf(from)}
            isRequired
            onInput={(value) => isDay(value) && value >= dayOf(from) && setQuery({ to: value, after: null })}
          />
        </>
      )}
    </>
  );
}
