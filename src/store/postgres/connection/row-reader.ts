import type { PostgresRow } from '../sql-value.ts';
import { type Decoder, decoderOf } from './decoders.ts';

type Column = { name: string; decode: Decoder };

/** The size of a column's description after its name, and the offset of the type's number in it. */
const COLUMN_TAIL_BYTES = 18;
const TYPE_OFFSET = 6;

/** Reads the rows of one statement. */
export class RowReader {
  readonly #columns: readonly Column[];

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
  }

  /** Reads a row, in which each column has its length before it. */
  row(bytes: Buffer, start: number): PostgresRow {
    const row: PostgresRow = {};
    let offset = start + 2;
    for (const { name, decode } of this.#columns) {
      const length = bytes.readInt32BE(offset);
      offset += 4;
      if (length < 0) row[name] = null;
      else {
        row[name] = decode(bytes, offset, offset + length);
        offset += length;
      }
    }
    return row;
  }
}

/** Reads the names and types of columns from the body of a message. */
export function readRowDescription(bytes: Buffer, start: number): RowReader {
  const columns: Column[] = [];
  const count = bytes.readUInt16BE(start);
  let offset = start + 2;
  while (columns.length < count) {
    const nameEnd = bytes.indexOf(0, offset);
    const type = bytes.readUInt32BE(nameEnd + 1 + TYPE_OFFSET);
    columns.push({ name: bytes.toString('utf8', offset, nameEnd), decode: decoderOf(type) });
    offset = nameEnd + 1 + COLUMN_TAIL_BYTES;
  }
  return new RowReader(columns);
}
