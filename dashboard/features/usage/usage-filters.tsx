import type { UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
import { setQuery } from '../../app/address.ts';
import type { KeyLabels } from '../../app/use-key-names.ts';
import { DateRange } from '../../components/date-range.tsx';
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx';
import { type Option, Select } from '../../components/select.tsx';
import { metrics } from './metrics.ts';
import type { UsageState } from './usage-state.ts';

type UsageFiltersProps = { state: UsageState; report: UsageReport | undefined; keys: KeyLabels };

/** The choices of the page. All of them are in its address. */
export function UsageFilters({ state, report, keys }: UsageFiltersProps) {
  const models = new Set([...(report?.models ?? []), ...(state.model ? [state.model] : [])]);
  return (
    <Filters>
      <DateRange defaultPreset="7d" />
      <Select
        label="Interval"
        options={[
          { value: 'day', label: 'Days' },
          {
            value: 'hour',
            label: state.mayBeHourly ? 'Hours' : 'Hours (14 days at most)',
            isDisabled: !state.mayBeHourly,
          },
        ]}
        value={state.step}
        onChange={(step) => setQuery({ step })}
      />
      <ChoiceFilter
        param="metric"
        label="Show"
        options={Object.entries(metrics).map(([value, { label }]) => ({ value, label }))}
      />
      <ChoiceFilter
        param="by"
        label="Group by"
        options={[
          { value: 'model', label: 'Model' },
          { value: 'key', label: 'Key' },
          { value: 'user', label: 'User' },
        ]}
      />
      <ChoiceFilter
        param="model"
        label="Model"
        options={[allOf('models'), ...[...models].map((id) => ({ value: id, label: id }))]}
      />
      <ChoiceFilter
        param="key"
        label="Key"
        options={[allOf('keys'), ...[...keys].map(([value, label]) => ({ value, label }))]}
      />
      <TextFilter param="user" label="User" placeholder="End user" />
    </Filters>
  );
}

/** The option that filters nothing. */
const allOf = (things: string): Option => ({ value: '', label: `All ${things}` });
