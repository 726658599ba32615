import { type AttributeValue, attributeName, writeAttribute } from './attributes.ts';
import { ProtobufWriter } from './protobuf-writer.ts';

export type RepeatedAttribute<Facts> = { name: string; repeats: (facts: Facts) => AttributeValue };

/**
 * The most combinations of values that are kept. If more take turns, each request encodes its values again.
 */
const MAX_KEPT = 16;

type Combination = { values: readonly AttributeValue[]; encoded: Uint8Array };

/**
 * Writes attributes whose values mostly repeat from request to request. The encoding of each combination of
 * values is kept, so that most requests copy it.
 */
export class RepeatedAttributes<Facts> {
  readonly #rows: readonly { name: Uint8Array; read: (facts: Facts) => AttributeValue }[];
  readonly #field: number;
  readonly #combinations: Combination[] = [];
  readonly #writer = new ProtobufWriter();
  #oldest = 0;

  constructor(field: number, rows: readonly RepeatedAttribute<Facts>[]) {
    this.#field = field;
    this.#rows = rows.map(({ name, repeats }) => ({ name: attributeName(name), read: repeats }));
  }

  write(writer: ProtobufWriter, facts: Facts): void {
    for (const { values, encoded } of this.#combinations) {
      if (!this.#areThese(values, facts)) continue;
      writer.raw(encoded);
      return;
    }
    writer.raw(this.#add(facts));
  }

  #areThese(values: readonly AttributeValue[], facts: Facts): boolean {
    const rows = this.#rows;
    for (let index = 0; index < rows.length; index++)
      if (rows[index]!.read(facts) !== values[index]) return false;
    return true;
  }

  #add(facts: Facts): Uint8Array {
    const values = this.#rows.map(({ read }) => read(facts));
    for (const [index, value] of values.entries())
      writeAttribute(this.#writer, this.#field, this.#rows[index]!.name, value);
    const encoded = this.#writer.copy();
    this.#combinations[this.#oldest] = { values, encoded };
    this.#oldest = (this.#oldest + 1) % MAX_KEPT;
    return encoded;
  }
}
