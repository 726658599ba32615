/** The tables whose rows have a seal, with their keys. A segment's seal covers other values. */
export const sealedTables = {
  open_hold: 'request_id',
  quarantine: 'account_id',
  unconfirmed: 'entry_id',
  usage_watermark: 'id',
} as const;

export type SealedTable = keyof typeof sealedTables;

/** Returns SQL that is true for rows that were changed after they were sealed. */
export const brokenSealSql = (table: SealedTable): string =>
  `seal IS DISTINCT FROM seal_of('${table}', to_jsonb(${table}))`;
