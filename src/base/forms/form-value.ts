import { lookUp } from '../lib/records.ts';
import { type FormFile, type FormPart, type FormText, isFile } from './form.ts';
import { FormFault } from './form-fault.ts';
import type { FormShape } from './form-shape.ts';

export type FieldValues = Record<string, unknown>;

const booleans: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** Reads the text of a field by its kind. A text of another form stays as it is. */
const readers: Readonly<Record<FormShape['fields'][string], (text: string) => unknown>> = {
  text: (text) => text,
  integer: (text) => (/^[+-]?\d{1,15}$/.test(text) ? Number(text) : text),
  number: (text) => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text),
  boolean: (text) => lookUp(booleans, text.toLowerCase()) ?? text,
};

/**
 * Returns the fields of a form as the members of an object. Fields of the shape become numbers and booleans.
 * A text that is neither stays as it is, so that the check of the request names it. Files become their
 * descriptions.
 */
export function formValue(parts: readonly FormPart[], shape: FormShape): FieldValues {
  const value: FieldValues = Object.create(null);
  for (const part of parts) {
    const isList = part.name.endsWith('[]');
    const partValue = isFile(part) ? describeFile(part, shape) : readText(part, shape);
    if (isList || (isFile(part) && maxFilesOf(part.name, shape) > 1)) addTo(value, part.name, partValue);
    else if (part.name in value) throw duplicateField(part.name);
    else value[part.name] = partValue;
  }
  checkFiles(value, shape);
  return { ...value };
}

function addTo(value: FieldValues, name: string, item: unknown): void {
  const list = value[name];
  if (Array.isArray(list)) list.push(item);
  else value[name] = [item];
}

function describeFile({ name, filename, type, byteLength }: FormFile, shape: FormShape): unknown {
  if (maxFilesOf(name, shape) === 0) throw new FormFault(`The field ${name} takes no file.`, name);
  if (byteLength === 0) throw new FormFault(`The file ${name} is empty.`, name);
  return { filename, ...(type !== undefined && { content_type: type }), bytes: byteLength };
}

function readText({ name, text }: FormText, shape: FormShape): unknown {
  const { fields } = shape;
  if (maxFilesOf(name, shape) > 0) throw new FormFault(`The field ${name} must be a file with a name.`, name);
  const root = name.slice(0, name.indexOf('['));
  if (root !== '' && name.includes('[') && (Object.hasOwn(fields, root) || maxFilesOf(root, shape) > 0))
    throw new FormFault(`The field ${root} is not a list.`, name);
  const kind = lookUp(fields, name);
  return kind === undefined ? text : readers[kind](text);
}

function checkFiles(value: FieldValues, { files, required }: FormShape): void {
  const sent = Object.keys(files).filter((name) => name in value);
  const spellings = sent.filter((name) => withoutBrackets(name) === required);
  if (spellings.length === 0) throw new FormFault(`The form has no file named ${required}.`, required);
  if (spellings.length > 1) throw duplicateField(required);
  for (const name of sent) {
    const list = value[name];
    if (Array.isArray(list) && list.length > files[name]!)
      throw new FormFault(`The form has more than ${files[name]} files ${name}.`, name);
  }
}

/** Returns the greatest number of files with this name. */
const maxFilesOf = (name: string, { files }: FormShape): number => lookUp(files, name) ?? 0;

const withoutBrackets = (name: string): string => name.replace(/\[\]$/, '');

const duplicateField = (name: string) =>
  new FormFault(`The form has the field ${name} more than once.`, name);
