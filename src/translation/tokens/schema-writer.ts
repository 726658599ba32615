import { isObject } from '../../base/lib/is-object.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { DEFINITIONS, isDefinitions, needsNoNote, VARIANTS } from './schema-keywords.ts';
import { asList, definitionAt, descriptionOf, kindsOf, missingProperties } from './schema-parts.ts';
import { inJson } from './tool-values.ts';

/**
 * The surroundings of a schema: its indentation, the tool's whole schema, and the references that are being
 * written.
 */
type SchemaPlace = { indent: string; root: Fields; within: readonly string[] };

const STEP = '    ';

/**
 * Writes JSON Schema as OpenAI's models read it: as a type of TypeScript with comments. Published renderings
 * differ in the keywords that they show. Everything that one of them shows is written, and all other keywords
 * follow as comments. The text therefore has at least the tokens of each rendering. Definitions are written
 * wherever they are referred to, and once if nothing refers to them.
 */
export class SchemaWriter {
  /** The characters that can still be written. It is below 0 once the text is too long. */
  #space: number;
  /**
   * The length of the JSON that references can still lead to. It bounds the time, since a list of names or of
   * empty schemas can take long and write next to nothing.
   */
  #reach: number;
  /** The lengths of the JSON that references lead to, by its value. */
  readonly #lengths = new Map<unknown, number>();
  /** The references that were written out. */
  readonly #referred = new Set<string>();

  /**
   * `space`: the most characters. `reach`: the most JSON that references lead to. References can make a short
   * schema expand without bound.
   */
  constructor({ space, reach }: { space: number; reach: number }) {
    this.#space = space;
    this.#reach = reach;
  }

  /** True if the schema was too long. The text is then incomplete. */
  get isCut(): boolean {
    return this.#space < 0 || this.#reach < 0;
  }

  /** Writes the whole schema of a tool's input. */
  writeInput(schema: unknown): string {
    this.#referred.clear();
    const place = { indent: '', root: isObject(schema) ? schema : {}, within: [] };
    const type = `${this.writeComments(schema, '')}_: ${this.#type(schema, place)}${this.#notes(schema, place)}`;
    return `${type}${this.#unreferred(place)}`;
  }

  /** Writes the comments above a type or a property. */
  writeComments(schema: unknown, indent: string): string {
    return this.#keepLines(descriptionOf(schema), { before: `${indent}// `, after: '\n' });
  }

  /** Writes a type: the types that the keywords of a schema name, as a union. */
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

  #reference({ $ref }: Fields, place: SchemaPlace): string[] {
    if ($ref === undefined) return [];
    const target =
      typeof $ref === 'string' && !place.within.includes($ref) ? definitionAt($ref, place.root) : undefined;
    if (typeof $ref !== 'string' || target === undefined) return [this.#keep(inJson($ref))];
    this.#referred.add($ref);
    // A reference may lead to types that write nothing. Its work takes space all the same, so that it ends.
    this.#space -= $ref.length + place.within.length;
    this.#reach -= this.#lengthOf(target);
    if (this.isCut) return [];
    const there = { ...place, within: [...place.within, $ref] };
    return [
      `${this.writeComments(target, place.indent)}${this.#type(target, there)}${this.#notes(target, there)}`,
    ];
  }

  #variants(schema: Fields, place: SchemaPlace): string[] {
    const below = { ...place, indent: `${place.indent}   ` };
    return VARIANTS.flatMap((name) => {
      const value = schema[name];
      if (value === undefined) return [];
      if (!Array.isArray(value)) return [this.#keep(inJson(value))];
      return value.map((variant) => {
        const type = `${this.#type(variant, below)}${nullable(variant)}`;
        const comment = this.#keepLines(descriptionOf(variant), {
          before: `\n${place.indent}// `,
          after: '',
        });
        return `${this.#keep(`\n${place.indent}`)} | ${type}${this.#notes(variant, below)}${comment}`;
      });
    });
  }

  #literals({ enum: values, const: value }: Fields): string[] {
    const literals = value === undefined ? asList(values) : [...asList(values), value];
    return literals.map((literal) => this.#keep(inJson(literal)));
  }

  #plain(schema: Fields, place: SchemaPlace): string[] {
    return [...kindsOf(schema)].map((kind) => {
      if (kind === 'object') return this.#object(schema, place);
      if (kind === 'array') return this.#array(schema, place);
      if (kind === 'integer') return 'number';
      return this.#keep(typeof kind === 'string' ? kind : inJson(kind));
    });
  }

  #object({ description, properties, required }: Fields, place: SchemaPlace): string {
    if (properties !== undefined && !isObject(properties)) return this.#keep(inJson(properties));
    const needed = new Set(Array.isArray(required) ? required : []);
    let text = `${this.writeComments({ description }, place.indent)}{\n`;
    for (const [name, schema] of Object.entries(properties ?? {}))
      text += this.#property(needed.has(name) ? nameInType(name) : `${nameInType(name)}?`, schema, place);
    return `${text}${place.indent}}`;
  }

  #property(name: string, schema: unknown, place: SchemaPlace): string {
    const inner = { ...place, indent: place.indent + STEP };
    const head = this.#keep(`${this.writeComments(schema, place.indent)}${place.indent}${name}: `);
    return `${head}${this.#type(schema, inner)}${nullable(schema)},${this.#notes(schema, inner)}\n`;
  }

  #array({ items, prefixItems }: Fields, place: SchemaPlace): string {
    const elements = [
      ...(Array.isArray(prefixItems) ? prefixItems : []),
      ...(items === undefined ? [] : [items]),
    ];
    if (elements.length === 0) return 'Array<any>';
    const types = elements.map((element) => {
      const type = `${this.writeComments(element, place.indent)}${this.#type(element, place)}${nullable(element)}`;
      return `${type}[]${this.#notes(element, place)}`;
    });
    return types.join(', ');
  }

  /** Writes the keywords that the type cannot show, as one comment. */
  #notes(schema: unknown, { root }: SchemaPlace): string {
    if (!isObject(schema)) return '';
    const isRoot = schema === root;
    const notes: string[] = schema['default'] === undefined ? [] : [`default: ${inJson(schema['default'])}`];
    for (const [name, value] of Object.entries(schema)) {
      if (needsNoNote(name, value) || (isRoot && isDefinitions(name, value))) continue;
      notes.push(`${name}: ${inJson(value)}`);
    }
    const missing = missingProperties(schema);
    if (missing.length > 0) notes.push(`required: ${inJson(missing)}`);
    return this.#keep(notes.length === 0 ? '' : ` // ${notes.join(', ')}`);
  }

  /** Writes the definitions that nothing refers to. */
  #unreferred(place: SchemaPlace): string {
    let text = '';
    for (const member of DEFINITIONS)
      for (const [name, schema] of Object.entries(place.root[member] ?? {}))
        if (!this.#referred.has(`#/${member}/${name}`))
          text += `\n${this.#property(nameInType(name), schema, place)}`;
    return text;
  }

  /** Returns the length of the JSON of a schema that a reference leads to. */
  #lengthOf(schema: unknown): number {
    const known = this.#lengths.get(schema);
    if (known !== undefined) return known;
    const { length } = JSON.stringify(schema);
    this.#lengths.set(schema, length);
    return length;
  }

  /** Takes the lines and their indentation from the space. Returns the lines if there was space for them. */
  #keepLines(lines: readonly string[], { before, after }: { before: string; after: string }): string {
    for (const { length } of lines) this.#space -= before.length + length + after.length;
    return this.isCut ? '' : lines.map((line) => `${before}${line}${after}`).join('');
  }

  /** Takes the length of a written text from the space, and returns the text. */
  #keep(text: string): string {
    this.#space -= text.length;
    return text;
  }
}

const nullable = (schema: unknown): string =>
  isObject(schema) && schema['nullable'] === true ? ' | null' : '';

/** A name that is not an identifier may be written in quotes. */
const nameInType = (name: string): string => (/^[\w$]+$/.test(name) ? name : `${name} ${inJson(name)}`);
