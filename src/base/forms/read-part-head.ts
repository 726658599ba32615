import { FormFault } from './form-fault.ts';
import { readHeaderParameters } from './read-header-parameters.ts';

/** The description of one part of a form. A part with a file name is a file. */
export type FormPartHead = {
  name: string;
  filename: string | undefined;
  /** The content type as the client sent it. */
  type: string | undefined;
};

const FIELD_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** Names that all parsers of forms read in the same way. */
const PART_NAME = /^[\w.:[\]-]{1,256}$/;
/** A first part of this name would change how some parsers decode the others. */
const CHARSET_FIELD = '_charset_';
const MAX_FILENAME_LENGTH = 1_024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that no value may have
const CONTROLS = /[\0-\x08\x0a-\x1f\x7f]/;
const TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[\t -~]*$/;
/** The types of a part that some parsers would read as several parts. */
const NESTED_TYPE = /^(multipart|message)\//i;
const PLAIN_CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);
const PLAIN_ENCODINGS: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary']);

/** Reads the header lines of one part. Lines other than the part's description and its type are ignored. */
export function readPartHead(bytes: Uint8Array): FormPartHead {
  const fields = fieldsOf(decode(bytes));
  const encoding = fields.get('content-transfer-encoding');
  if (encoding !== undefined && !PLAIN_ENCODINGS.has(encoding.toLowerCase()))
    throw new FormFault('A part of the form has a content-transfer-encoding other than binary.');
  const described = dispositionOf(fields.get('content-disposition'));
  const type = fields.get('content-type');
  if (type !== undefined) checkType(type, described);
  return { ...described, type };
}

/** Header lines are UTF-8, or Latin-1 if an old client sends them. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  }
}

function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  if (text === '') return fields;
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!FIELD_NAME.test(name) || CONTROLS.test(line))
      throw new FormFault('A part of the form has a malformed header.');
    if (fields.has(name)) throw new FormFault('A part of the form has a header twice.');
    fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

function dispositionOf(value: string | undefined): Omit<FormPartHead, 'type'> {
  const match = value === undefined ? null : /^form-data[ \t]*(;.*)$/is.exec(value);
  const parameters = match && readHeaderParameters(match[1]!);
  const name = parameters?.get('name');
  if (!parameters || name === undefined || name === CHARSET_FIELD || !PART_NAME.test(name))
    throw new FormFault('A part of the form has no valid name in its content-disposition.');
  const filename = extendedName(parameters.get('filename*'), name) ?? parameters.get('filename');
  if (filename !== undefined && filename.length > MAX_FILENAME_LENGTH)
    throw new FormFault('The file name is too long.', name);
  return { name, filename };
}

/** Reads a file name in the form of RFC 5987, as in `UTF-8''caf%C3%A9.mp3`. */
function extendedName(value: string | undefined, field: string): string | undefined {
  if (value === undefined) return undefined;
  const match = /^utf-8'[^']*'(.*)$/i.exec(value);
  try {
    const name = match && decodeURIComponent(match[1]!);
    if (name !== null && !CONTROLS.test(name)) return name;
  } catch {
    // The escapes are malformed.
  }
  throw new FormFault('The file name is not valid.', field);
}

function checkType(type: string, { name, filename }: Omit<FormPartHead, 'type'>): void {
  const semicolon = type.indexOf(';');
  const parameters = semicolon < 0 ? NONE : readHeaderParameters(type.slice(semicolon));
  if (!TYPE.test(type) || !parameters || NESTED_TYPE.test(type))
    throw new FormFault('The content type of the part is not valid.', name);
  const charset = parameters.get('charset')?.toLowerCase() ?? 'utf-8';
  if (filename === undefined && !PLAIN_CHARSETS.has(charset))
    throw new FormFault(`The field ${name} must be UTF-8.`, name);
}

const NONE: ReadonlyMap<string, string> = new Map();
