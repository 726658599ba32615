import { useQuery } from '../../app/use-query.ts';
import { Select } from '../../components/select.tsx';
import { type ListOf, OPERATOR } from './operator-api.ts';
import type { PlanRow } from './rows.ts';

/** The plans of the configuration, as a field of a form. */
export function PlanSelect({ value }: { value?: string }) {
  const plans = useQuery<ListOf<PlanRow>>(`${OPERATOR}/plans`);
  const options = (plans.data?.data ?? []).map(({ id, display_name }) => ({
    value: id,
    label: display_name,
  }));
  return <Select key={options.length} label="Plan" name="plan" options={options} value={value} />;
}
