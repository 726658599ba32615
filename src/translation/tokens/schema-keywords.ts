import { isObject } from '../../base/lib/is-object.ts';

/** The keywords whose value is a list of alternative schemas. */
export const VARIANTS = ['anyOf', 'oneOf', 'allOf'] as const;
/** The keywords at the root of a schema that hold definitions. */
export const DEFINITIONS = ['$defs', 'definitions'] as const;
const DRAFT = /^https?:\/\/json-schema\.org\/[\w/.-]{1,32}#?$/;

type IsShown = (value: unknown) => boolean;

const always: IsShown = () => true;
const ifList: IsShown = (value) => Array.isArray(value);
/** Omits the bounds that libraries write for any integer. */
const ifSafest: IsShown = (value) => typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER;
const ifFlag: IsShown = (value) => typeof value === 'boolean';

const shown: ReadonlyMap<string, IsShown> = new Map<string, IsShown>([
  ...['type', 'properties', 'items', 'enum', 'const', ...VARIANTS, '$ref'].map(
    (name) => [name, always] as const,
  ),
  ...['title', 'description', 'examples', 'default'].map((name) => [name, always] as const),
  ['required', ifList],
  ['prefixItems', ifList],
  ['minimum', ifSafest],
  ['maximum', ifSafest],
  ['nullable', ifFlag],
  ['additionalProperties', ifFlag],
  ['$schema', (value) => typeof value === 'string' && DRAFT.test(value)],
]);

/** Reports whether a note need not repeat a keyword: it is written elsewhere, or no rendering shows it. */
export const needsNoNote = (name: string, value: unknown): boolean => shown.get(name)?.(value) === true;

export const isDefinitions = (name: string, value: unknown): boolean =>
  (DEFINITIONS as readonly string[]).includes(name) && isObject(value);
