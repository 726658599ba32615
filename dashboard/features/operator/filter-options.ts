import type { Option } from '../../components/select.tsx';

type Labels = { noneLabel?: string; labelOf?: (value: string) => string };

/** Returns the options of a filter. The first one stands for no filter. */
export const filterOptions = (
  values: readonly string[],
  { noneLabel = 'Any', labelOf = (value) => value }: Labels = {},
): Option[] => [
  { value: '', label: noneLabel },
  ...values.map((value) => ({ value, label: labelOf(value) })),
];
