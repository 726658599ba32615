/** An error that the server reported. `code` is its SQLSTATE. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
  readonly code: string;
  readonly severity: string;
  readonly detail: string | undefined;
  readonly constraint: string | undefined;
  readonly table: string | undefined;
  /** The SQL context of the error, such as the line of a function. */
  readonly where: string | undefined;
  readonly routine: string | undefined;

  constructor(fields: ReadonlyMap<string, string>) {
    super(fields.get('M') ?? 'unknown error');
    this.code = fields.get('C') ?? 'XX000';
    this.severity = fields.get('V') ?? fields.get('S') ?? 'ERROR';
    this.detail = fields.get('D');
    this.constraint = fields.get('n');
    this.table = fields.get('t');
    this.where = fields.get('W');
    this.routine = fields.get('R');
  }
}

/** Reads the body of an error message: fields of one letter and a text, each ended by a zero byte. */
export function readPostgresError(bytes: Buffer, start: number, end: number): PostgresError {
  const fields = new Map<string, string>();
  let offset = start;
  while (offset < end && bytes[offset] !== 0) {
    const textEnd = bytes.indexOf(0, offset + 1);
    fields.set(String.fromCharCode(bytes[offset] ?? 0), bytes.toString('utf8', offset + 1, textEnd));
    offset = textEnd + 1;
  }
  return new PostgresError(fields);
}
