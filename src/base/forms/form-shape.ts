/**
 * The fields of a form that have one value each, and its files with their greatest number. A name that ends
 * with `[]` is a list.
 */
export type FormShape = {
  readonly fields: Readonly<Record<string, 'text' | 'integer' | 'number' | 'boolean'>>;
  readonly files: Readonly<Record<string, number>>;
  /** The files of which the form must have at least one. */
  readonly required: string;
  /** The file whose sound is measured before the request is admitted. */
  readonly sound?: string;
  /** The endpoint takes JSON too. */
  readonly orJson?: true;
};
