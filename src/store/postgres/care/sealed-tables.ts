/** The tables whose rows have a seal, with their keys. Segments have one too, which covers other values. */
export const sealedTables = {
  open_hold: 'request_id',
  quarantine: 'account_id',
  unconfirmed: 'entry_id',
  usage_watermark: 'id',
} as const;

export type SealedTable = keyof typeof sealedTables;

/** Returns the condition that a row was changed after it was sealed. */
export const hasBrokenSeal = (table: SealedTable): string =>
  `seal IS DISTINCT FROM seal_of('${table}', to_jsonb(${table}))`;
