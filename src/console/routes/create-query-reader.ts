import type { TObject } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import { ISO_TIME, parseIsoTime } from '../../base/lib/iso-time.ts';
import { listed } from '../../base/schema/describe-value.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { printable } from '../../base/schema/printable.ts';
import { nodeOf, type SchemaNode } from '../../base/schema/schema-node.ts';
import { createCheck } from './create-check.ts';

/**
 * Creates a reader of query strings. With `isClosed`, it refuses unknown and repeated parameters, since a
 * misspelled filter would list everything.
 */
export function createQueryReader(
  schema: TObject | undefined,
  { isClosed }: { isClosed: boolean },
): (query: string) => Fields | Refusal {
  const properties = Object.entries(schema?.properties ?? {}).map(
    ([name, property]) => [name, nodeOf(property)] as const,
  );
  const schemas = new Map(properties);
  const check = schema && createCheck(schema, 'The query');
  return (query) => {
    const parameters = [...new URLSearchParams(query)];
    const fault = isClosed ? findFault(parameters, [...schemas.keys()]) : undefined;
    if (fault) return fault;
    const values = Object.fromEntries(
      parameters.map(([name, text]) => [name, parameterOf(name, text, schemas.get(name))]),
    );
    return check?.(values) ?? values;
  };
}

const NUMBER = /^-?\d+(\.\d+)?$/;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** Converts the text of a parameter. Text of another type stays as it is, and the check refuses it. */
function parameterOf(name: string, text: string, { type, pattern }: SchemaNode = {}): unknown {
  if (type === 'integer' || type === 'number') return NUMBER.test(text) ? Number(text) : text;
  if (type === 'boolean') return BOOLEANS.get(text) ?? text;
  return pattern === ISO_TIME ? timeOf(name, text) : text;
}

/** The pattern alone would admit times before 1970, which an offset can make. */
function timeOf(name: string, text: string): string {
  // An unescaped plus sign arrives as a space.
  const written = text.replace(/ (?=\d\d:\d\d$)/, '+');
  if (new RegExp(ISO_TIME).test(written) && parseIsoTime(written) !== undefined) return written;
  throw invalid(name, `${name} must be a time like 2026-11-22T10:00:00Z.`);
}

function findFault(
  parameters: readonly (readonly [string, string])[],
  parameterNames: readonly string[],
): Refusal | undefined {
  const names = new Set<string>();
  for (const [name] of parameters) {
    if (!parameterNames.includes(name)) return unknownParameter(name, parameterNames);
    if (names.has(name)) return invalid(name, `The query parameter ${name} must not be repeated.`);
    names.add(name);
  }
  return undefined;
}

function unknownParameter(name: string, parameterNames: readonly string[]): Refusal {
  const hint = didYouMean(name, parameterNames);
  const accepts = parameterNames.length === 0 ? 'no query parameters' : listed(parameterNames, 'and');
  const rest = hint === '' ? `; this address accepts ${accepts}.` : hint;
  return invalid(name, `'${printable(name)}' is not a known query parameter${rest}`);
}

const invalid = (param: string, message: string): Refusal =>
  new Refusal('invalid_request', { param: printable(param), message });
