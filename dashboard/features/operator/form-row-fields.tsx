import { ORIGIN } from './model-fields.ts';
import type { ModelFormValues } from './model-form-values.ts';

/** The number of a row of the form now, and its number at first. An added row has no number at first. */
export type RowNumbers = { index: number; origin: number | undefined };

/** A row of a part of the form: the names of its fields and their first values. */
export type FormRowFields = {
  nameOf(member: string): string;
  firstValue(member: string): string;
};

/** Returns the names and the first values of the fields of a row. */
export const fieldsOfRow = (
  part: string,
  { index, origin }: RowNumbers,
  values: ModelFormValues,
): FormRowFields => ({
  nameOf: (member) => `${part}[${index}].${member}`,
  firstValue: (member) => (origin === undefined ? undefined : values[`${part}[${origin}].${member}`]) ?? '',
});

/** Keeps the number at first, so that members without a field are kept with their row. */
export const OriginField = ({ fields }: { fields: FormRowFields }) => (
  <input type="hidden" name={fields.nameOf(ORIGIN)} value={fields.firstValue(ORIGIN)} />
);
