import type { Option } from './select.tsx';

type Labels = { noneLabel?: string; labelOf?: (value: string) => string };

/** The option of a filter that excludes nothing. */
export const anyOption: Option = { value: '', label: 'Any' };

/** Returns the options of a filter. The first option excludes nothing. */
export const filterOptions = (
  values: readonly string[],
  { noneLabel = anyOption.label, labelOf = (value) => value }: Labels = {},
): Option[] => [
  { value: '', label: noneLabel },
  ...values.map((value) => ({ value, label: labelOf(value) })),
];
