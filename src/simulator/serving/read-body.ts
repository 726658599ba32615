import { boundaryOf, isFormType } from '../../base/forms/boundary-of.ts';
import { FormCollector } from '../../base/forms/form-collector.ts';
import { FormFault } from '../../base/forms/form-fault.ts';
import { FormParser } from '../../base/forms/form-parser.ts';
import type { FormShape } from '../../base/forms/form-shape.ts';
import { formValue } from '../../base/forms/form-value.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { BadInput } from '../model/bad-input.ts';
import { Field } from '../model/field.ts';
import { parseJson } from '../model/parse-json.ts';

export type ReceivedFields = {
  /** The body as text, for ids and the log. */
  text: string;
  /** The fields of the body, or undefined if the body is not an object. */
  body: Field | undefined;
};

/**
 * Reads a body of JSON, or a form if the wire takes one. The bytes of files are read for their number alone.
 */
export async function readBody(request: Request, form: FormShape | undefined): Promise<ReceivedFields> {
  const type = request.headers.get('content-type');
  if (form && isFormType(type)) return readForm(await request.bytes(), boundaryOf(type), form);
  const text = await request.text();
  return { text, body: parseBody(text) };
}

function readForm(bytes: Uint8Array, boundary: string | undefined, shape: FormShape): ReceivedFields {
  if (boundary === undefined) throw new BadInput('the form has no boundary', null);
  const files = {
    byteLength: 0,
    add(piece: Uint8Array) {
      files.byteLength += piece.byteLength;
    },
  };
  const collector = new FormCollector(files);
  try {
    const parser = new FormParser(boundary, collector);
    parser.push(bytes);
    parser.finish();
    const value = formValue(collector.parts, shape);
    return { text: JSON.stringify(value), body: new Field(value) };
  } catch (error) {
    if (error instanceof FormFault) throw new BadInput(error.message, error.field);
    throw error;
  }
}

function parseBody(text: string): Field | undefined {
  const value = parseJson(text);
  return isObject(value) ? new Field(value) : undefined;
}
