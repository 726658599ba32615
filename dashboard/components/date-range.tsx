import { DAY_MS, HOUR_MS } from '../../src/base/lib/units.ts';
import { queryValue, setQuery } from '../app/address.ts';
import { Input } from './input.tsx';
import { Select } from './select.tsx';

/** The ranges that have a name in the address. */
const presets = [
  { value: '24h', label: 'Last 24 hours', ms: DAY_MS },
  { value: '7d', label: 'Last 7 days', ms: 7 * DAY_MS },
  { value: '30d', label: 'Last 30 days', ms: 30 * DAY_MS },
  { value: '90d', label: 'Last 90 days', ms: 90 * DAY_MS },
] as const;

type RangePreset = (typeof presets)[number]['value'];
type DateSpan = { from: string; to: string; preset: RangePreset | 'custom' };

/**
 * Returns the range of the address as ISO times. Presets end at the next full hour, so that their answers can
 * be kept.
 */
export function rangeOf(defaultPreset: RangePreset, now = Date.now()): DateSpan {
  const from = queryValue('from');
  const to = queryValue('to');
  if (isDay(from) && isDay(to) && from <= to) {
    const dayAfter = new Date(Date.parse(to) + DAY_MS);
    return { from: new Date(from).toISOString(), to: dayAfter.toISOString(), preset: 'custom' };
  }
  const presetNamed = (name: string) => presets.find(({ value }) => value === name);
  const { value: preset, ms } = presetNamed(queryValue('range')) ?? presetNamed(defaultPreset)!;
  const end = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return { from: new Date(end - ms).toISOString(), to: new Date(end).toISOString(), preset };
}

/** While a year is typed, the field has years of the first centuries. */
const isDay = (text: string): boolean => /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

const dayOf = (time: string): string => time.slice(0, 10);

/**
 * The choice of a range, kept in the address as `range`, or as `from` and `to` (days in UTC, both included).
 */
export function DateRange({ defaultPreset }: { defaultPreset: RangePreset }) {
  const { from, to, preset } = rangeOf(defaultPreset);
  const lastDay = dayOf(new Date(Date.parse(to) - 1).toISOString());
  const choose = (next: DateSpan['preset']) =>
    setQuery(
      next === 'custom'
        ? { range: null, from: dayOf(from), to: lastDay, after: null }
        : { range: next === defaultPreset ? null : next, from: null, to: null, after: null },
      { replace: false },
    );
  return (
    <>
      <Select
        label="Time"
        options={[...presets, { value: 'custom', label: 'Custom' }]}
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
