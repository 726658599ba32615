import type { SchemaNode } from '../../base/schema/schema-node.ts';

export type PublishedSchema = Record<string, unknown>;

/** Named schemas, which other schemas refer to. */
export class SchemaComponents {
  readonly #schemas: Map<string, PublishedSchema>;
  readonly #names = new Map<SchemaNode, string>();

  constructor(schemas: Readonly<Record<string, PublishedSchema>> = {}) {
    this.#schemas = new Map(Object.entries(schemas));
  }

  /**
   * Returns a reference to a component, which `make` returns at the first call. Schemas with the same title
   * are the same component.
   */
  titled(title: string, make: (name: string) => PublishedSchema): PublishedSchema {
    const name = componentName(title);
    if (!this.#schemas.has(name)) this.#add(name, make);
    return reference(name);
  }

  /**
   * Returns a reference to the component of a schema. Its name is the first of `words`, `words2`, `words3`
   * and so on that is free.
   */
  named(node: SchemaNode, words: string, make: (name: string) => PublishedSchema): PublishedSchema {
    const existingName = this.#names.get(node);
    if (existingName !== undefined) return reference(existingName);
    let name = words;
    for (let number = 2; this.#schemas.has(name); number++) name = `${words}${number}`;
    this.#names.set(node, name);
    this.#add(name, make);
    return reference(name);
  }

  toObject = (): Record<string, PublishedSchema> => Object.fromEntries(this.#schemas);

  /** The name is taken before the schema is made, so that the schemas within it get other names. */
  #add(name: string, make: (name: string) => PublishedSchema): void {
    this.#schemas.set(name, {});
    this.#schemas.set(name, make(name));
  }
}

const componentName = (title: string): string => title.replace(/[^A-Za-z0-9]+/g, '');

const reference = (name: string): PublishedSchema => ({ $ref: `#/components/schemas/${name}` });
