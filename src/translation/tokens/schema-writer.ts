import { isObject } from '../../base/lib/is-object.ts';
import { lookUp } from '../../base/lib/records.ts';
import { inJson, linesIn } from './tool-values.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The surroundings of a schema: its indentation, the tool's whole schema, and the
 * references that are being written.
 */
export type SchemaPlace = { indent: string; root: Schema; within: readonly string[] };

const STEP = '    ';
const VARIANTS = ['anyOf', 'oneOf', 'allOf'] as const;
const DEFINITIONS = ['$defs', 'definitions'] as const;
const DRAFT = /^https?:\/\/json-schema\.org\/[\w/.-]{1,32}#?$/;

type Written = (value: unknown, schema: Schema) => boolean;
const always: Written = () => true;
const ifList: Written = (value) => Array.isArray(value);
/** Omits the bounds that libraries write for any integer. */
const ifSafest: Written = (value) =>
  Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER && typeof value === 'number';
const ifFlag: Written = (value) => typeof value === 'boolean';

/** Keywords that a note need not repeat, because they are written elsewhere or no rendering shows them. */
const written: ReadonlyMap<string, Written> = new Map([
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

/**
 * Writes JSON Schema as OpenAI's models read it: as a type of TypeScript with comments. Published renderings
 * differ in the keywords that they show. Everything that one of them shows is written, and all other keywords
 * follow as comments. The text therefore has at least the tokens of each rendering. Definitions are written
 * wherever they are referred to, and once if nothing refers to them.
 */
export class SchemaWriter {
  #space: number;
  readonly #referred = new Set<string>();

  /** `space`: the most characters. A short schema can refer to itself so often that no text could hold it. */
  constructor(space: number) {
    this.#space = space;
  }

  /** True if the schema was too long. The text is then incomplete. */
  get isCut(): boolean {
    return this.#space < 0;
  }

  /** Writes the whole schema of a tool's input. */
  input(schema: unknown): string {
    this.#referred.clear();
    const place = { indent: '', root: isObject(schema) ? schema : {}, within: [] };
    const type = `${this.comments(schema, '')}_: ${this.#type(schema, place)}${this.#notes(schema, place)}`;
    return `${type}${this.#unreferred(place)}`;
  }

  /** Writes the comments above a type or a property. */
  comments(schema: unknown, indent: string): string {
    const lines = saidBy(schema).map((line) => `${indent}// ${line}\n`);
    return this.#keep(lines.join(''));
  }

  #type(schema: unknown, place: SchemaPlace): string {
    if (this.isCut) return '';
    if (!isObject(schema)) return this.#keep(typeof schema === 'boolean' ? 'any' : inJson(schema));
    const types = [
      ...this.#reference(schema, place),
      ...this.#variants(schema, place),
      ...this.#literals(schema),
      ...this.#plain(schema, place),
    ];
    return types.join(' | ') || 'any';
  }

  #reference({ $ref }: Schema, place: SchemaPlace): string[] {
    if ($ref === undefined) return [];
    const target =
      typeof $ref === 'string' && !place.within.includes($ref) ? definitionAt($ref, place.root) : undefined;
    if (target === undefined) return [this.#keep(inJson($ref))];
    const pointer = $ref as string;
    this.#referred.add(pointer);
    const there = { ...place, within: [...place.within, pointer] };
    return [
      `${this.comments(target, place.indent)}${this.#type(target, there)}${this.#notes(target, there)}`,
    ];
  }

  #variants(schema: Schema, place: SchemaPlace): string[] {
    const below = { ...place, indent: `${place.indent}   ` };
    return VARIANTS.flatMap((name) => {
      const value = schema[name];
      if (value === undefined) return [];
      if (!Array.isArray(value)) return [this.#keep(inJson(value))];
      return value.map((variant) => {
        const type = `${this.#type(variant, below)}${nullable(variant)}`;
        const comment = this.#keep(
          saidBy(variant)
            .map((line) => `\n${place.indent}// ${line}`)
            .join(''),
        );
        return `${this.#keep(`\n${place.indent}`)} | ${type}${this.#notes(variant, below)}${comment}`;
      });
    });
  }

  #literals({ enum: values, const: value }: Schema): string[] {
    const all = value === undefined ? asList(values) : [...asList(values), value];
    return all.map((value) => this.#keep(inJson(value)));
  }

  #plain(schema: Schema, place: SchemaPlace): string[] {
    return [...kindsOf(schema)].map((kind) => {
      if (kind === 'object') return this.#object(schema, place);
      if (kind === 'array') return this.#array(schema, place);
      if (kind === 'integer') return 'number';
      return this.#keep(typeof kind === 'string' ? kind : inJson(kind));
    });
  }

  #object({ description, properties, required }: Schema, place: SchemaPlace): string {
    if (properties !== undefined && !isObject(properties)) return this.#keep(inJson(properties));
    const needed = new Set(Array.isArray(required) ? required : []);
    let text = `${this.comments({ description }, place.indent)}{\n`;
    for (const [name, schema] of Object.entries(properties ?? {}))
      text += this.#property(needed.has(name) ? named(name) : `${named(name)}?`, schema, place);
    return `${text}${place.indent}}`;
  }

  #property(name: string, schema: unknown, place: SchemaPlace): string {
    const inner = { ...place, indent: place.indent + STEP };
    const head = this.#keep(`${this.comments(schema, place.indent)}${place.indent}${name}: `);
    return `${head}${this.#type(schema, inner)}${nullable(schema)},${this.#notes(schema, inner)}\n`;
  }

  #array({ items, prefixItems }: Schema, place: SchemaPlace): string {
    const elements = [
      ...(Array.isArray(prefixItems) ? prefixItems : []),
      ...(items === undefined ? [] : [items]),
    ];
    if (elements.length === 0) return 'Array<any>';
    const types = elements.map((element) => {
      const type = `${this.comments(element, place.indent)}${this.#type(element, place)}${nullable(element)}`;
      return `${type}[]${this.#notes(element, place)}`;
    });
    return types.join(', ');
  }

  /** Writes what no rendering has a place for. */
  #notes(schema: unknown, { root }: SchemaPlace): string {
    if (!isObject(schema)) return '';
    const isRoot = schema === root;
    const notes: string[] = schema['default'] === undefined ? [] : [`default: ${inJson(schema['default'])}`];
    for (const [name, value] of Object.entries(schema)) {
      if (written.get(name)?.(value, schema) || (isRoot && isDefinitions(name, value))) continue;
      notes.push(`${name}: ${inJson(value)}`);
    }
    const missing = missingProperties(schema);
    if (missing.length > 0) notes.push(`required: ${inJson(missing)}`);
    return this.#keep(notes.length === 0 ? '' : ` // ${notes.join(', ')}`);
  }

  #unreferred(place: SchemaPlace): string {
    let text = '';
    for (const member of DEFINITIONS)
      for (const [name, schema] of Object.entries(place.root[member] ?? {}))
        if (!this.#referred.has(`#/${member}/${name}`))
          text += `\n${this.#property(named(name), schema, place)}`;
    return text;
  }

  #keep(text: string): string {
    this.#space -= text.length;
    return text;
  }
}

function saidBy(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const { title, description, examples } = schema;
  return [
    ...(title === undefined ? [] : [...linesIn(title), '']),
    ...linesIn(description),
    ...(Array.isArray(examples)
      ? ['Examples:', ...examples.map((example) => `- ${inJson(example)}`)]
      : linesIn(examples)),
  ];
}

/**
 * The named types, and those that the other keywords imply. The values of a list stand for the type `string`.
 */
function kindsOf({ type, properties, items, prefixItems, enum: values }: Schema): Set<unknown> {
  const kinds = new Set<unknown>(asList(type));
  if (properties !== undefined) kinds.add('object');
  if (items !== undefined || prefixItems !== undefined) kinds.add('array');
  if (Array.isArray(values) && values.length > 0) kinds.delete('string');
  return kinds;
}

function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value];
}

const nullable = (schema: unknown): string =>
  isObject(schema) && schema['nullable'] === true ? ' | null' : '';

/** A name that is no identifier may be written in quotes. */
const named = (name: string): string => (/^[\w$]+$/.test(name) ? name : `${name} ${inJson(name)}`);

const isDefinitions = (name: string, value: unknown): boolean =>
  (DEFINITIONS as readonly string[]).includes(name) && isObject(value);

function missingProperties({ required, properties }: Schema): unknown[] {
  const members = isObject(properties) ? properties : {};
  return Array.isArray(required)
    ? required.filter((name) => typeof name !== 'string' || !Object.hasOwn(members, name))
    : [];
}

function definitionAt(pointer: string, root: Schema): unknown {
  if (!pointer.startsWith('#')) return undefined;
  let value: unknown = root;
  for (const step of pointer.split('/').slice(1)) {
    if (!isObject(value)) return undefined;
    value = lookUp(value, step.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return value;
}
