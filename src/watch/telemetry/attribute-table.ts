import { type AttributeValue, attributeName, writeAttribute } from './attributes.ts';
import { otlp } from './otlp-fields.ts';
import type { ProtobufWriter } from './protobuf-writer.ts';
import { RepeatedAttributes } from './repeated-attributes.ts';
import type { AttributeRow } from './request-attributes.ts';

const { span: fields } = otlp;

/** Writes the attributes of one kind of span. */
export class AttributeTable<Facts> {
  readonly #repeated: RepeatedAttributes<Facts>;
  readonly #others: readonly { name: Uint8Array; read: (facts: Facts) => AttributeValue }[];

  constructor(rows: readonly AttributeRow<Facts>[]) {
    this.#repeated = new RepeatedAttributes(
      fields.attributes,
      rows.filter((row) => 'repeats' in row),
    );
    this.#others = rows
      .filter((row) => 'read' in row)
      .map(({ name, read }) => ({ name: attributeName(name), read }));
  }

  write(writer: ProtobufWriter, facts: Facts): void {
    this.#repeated.write(writer, facts);
    for (const { name, read } of this.#others) writeAttribute(writer, fields.attributes, name, read(facts));
  }
}
