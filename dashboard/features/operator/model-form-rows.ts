import { recordOf } from '../../../src/base/lib/records.ts';
import {
  CONDITIONS,
  type ConditionNumber,
  type ConditionText,
  conditionNumbers,
  conditionTexts,
  type RouteMember,
} from './model-fields.ts';

/** The values of the form of a model by the names of its fields. */
export type ModelFormValues = Readonly<Record<string, string>>;

/** The parts of the form that have rows, by their paths, and the members of a row that have a field. */
type RowMembers = { routes: RouteMember; [CONDITIONS]: ConditionText | ConditionNumber };
export type RowPart = keyof RowMembers;
export type RowMember<Part extends RowPart> = RowMembers[Part];

const rowMembers: { readonly [Part in RowPart]: readonly RowMember<Part>[] } = {
  routes: ['provider', 'model', 'weight'],
  [CONDITIONS]: [...conditionTexts, ...conditionNumbers],
};

/** The field with the number that a row of the form had at first. */
export const ORIGIN = 'origin';

/** Returns the name of a field of a row. It is the path by which the server names an invalid value. */
export const fieldName = <Part extends RowPart>(
  part: Part,
  index: number,
  member: RowMember<Part> | typeof ORIGIN,
): string => `${part}[${index}].${member}`;

/** Returns the values of the fields of rows. */
export function valuesOfRows<Part extends RowPart>(
  part: Part,
  rows: readonly { readonly [Member in RowMember<Part>]?: unknown }[],
): ModelFormValues {
  const values: Record<string, string> = {};
  for (const [index, row] of rows.entries()) {
    values[fieldName(part, index, ORIGIN)] = String(index);
    for (const member of rowMembers[part]) values[fieldName(part, index, member)] = String(row[member] ?? '');
  }
  return values;
}

/** A row of the form. `origin` is its number at first, which an added row does not have. */
export type FormRow<Part extends RowPart> = {
  origin: number | undefined;
  texts: Readonly<Record<RowMember<Part>, string>>;
};

/** Returns the rows of a part of the form. Their numbers have no gaps, since removed rows are not counted. */
export function rowsOfValues<Part extends RowPart>(part: Part, values: ModelFormValues): FormRow<Part>[] {
  const rows: FormRow<Part>[] = [];
  for (;;) {
    const index = rows.length;
    const origin = values[fieldName(part, index, ORIGIN)];
    if (origin === undefined) return rows;
    rows.push({
      origin: origin === '' ? undefined : Number(origin),
      texts: recordOf(rowMembers[part], (member) => values[fieldName(part, index, member)] ?? ''),
    });
  }
}
