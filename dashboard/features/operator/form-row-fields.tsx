import { fieldName, type ModelFormValues, ORIGIN, type RowMember, type RowPart } from './model-form-rows.ts';

/** The number of a row of the form now, and its number at first. An added row has no number at first. */
export type RowNumbers = { index: number; origin: number | undefined };

/** A row of a part of the form: the names of its fields and their first values. */
export type FormRowFields<Part extends RowPart> = {
  nameOf(member: RowMember<Part> | typeof ORIGIN): string;
  firstValue(member: RowMember<Part> | typeof ORIGIN): string;
};

/** Returns the names and the first values of the fields of a row. An added row begins empty. */
export const fieldsOfRow = <Part extends RowPart>(
  part: Part,
  { index, origin }: RowNumbers,
  values: ModelFormValues,
): FormRowFields<Part> => ({
  nameOf: (member) => fieldName(part, index, member),
  firstValue: (member) => (origin === undefined ? undefined : values[fieldName(part, origin, member)]) ?? '',
});

/** Keeps the number at first, so that members without a field are kept with their row. */
export const OriginField = <Part extends RowPart>({ fields }: { fields: FormRowFields<Part> }) => (
  <input type="hidden" name={fields.nameOf(ORIGIN)} value={fields.firstValue(ORIGIN)} />
);
