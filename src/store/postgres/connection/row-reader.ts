import type { PostgresRow } from '../sql-value.ts';
import { type Decoder, decoderOf } from './decoders.ts';

type Column = { name: string; decode: Decoder };

/** Bytes of a column's description behind its name, and where the type's number is in it. */
const COLUMN_TAIL_BYTES = 18;
const TYPE_AT = 6;

/** Reads the rows of one statement. */
export class RowReader {
  readonly #columns: readonly Column[];

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
  }

  row(bytes: Buffer, start: number): PostgresRow {
    const row: PostgresRow = {};
    let at = start + 2;
    for (const { name, decode } of this.#columns) {
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length < 0) row[name] = null;
      else {
        row[name] = decode(bytes, at, at + length);
        at += length;
      }
    }
    return row;
  }
}

export function readRowDescription(bytes: Buffer, start: number): RowReader {
  const columns: Column[] = [];
  let at = start + 2;
  for (let left = bytes.readUInt16BE(start); left > 0; left--) {
    const stop = bytes.indexOf(0, at);
    const type = bytes.readUInt32BE(stop + 1 + TYPE_AT);
    columns.push({ name: bytes.toString('utf8', at, stop), decode: decoderOf(type) });
    at = stop + 1 + COLUMN_TAIL_BYTES;
  }
  return new RowReader(columns);
}
