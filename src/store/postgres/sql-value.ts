export type SqlValue = string | number | boolean | null | Uint8Array | readonly string[] | readonly number[];
export type PostgresRow = Record<string, unknown>;
