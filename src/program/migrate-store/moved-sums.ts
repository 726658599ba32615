/** Statements that run once, after all rows are in their tables. */
export const movedSums: readonly string[] = [
  // Triggers have counted conversations and responses in the background.
  'DELETE FROM account_storage',
  `INSERT INTO account_storage (account_id, until, bytes)
    WITH kept AS (
      SELECT account_id, until, stored FROM response
      UNION ALL SELECT account_id, kept_until, stored FROM turn
      UNION ALL SELECT account_id, expires_at, stored FROM batch
      UNION ALL SELECT account_id, until, stored FROM conversation
      UNION ALL SELECT account_id, until, stored FROM background_response
    ), steps AS (
      SELECT account_id, second_of(until) AS until, sum(stored)::bigint AS bytes FROM kept
      WHERE account_id IS NOT NULL AND stored <> 0 GROUP BY 1, 2
    )
    SELECT * FROM steps UNION ALL SELECT account_id, 0, sum(bytes)::bigint FROM steps GROUP BY 1`,
  `UPDATE bucket SET held = kept.held FROM (
      SELECT account_id, period, sum(microcredits)::bigint AS held FROM open_hold WHERE pays = 'purchased' GROUP BY 1, 2
    ) AS kept WHERE bucket.account_id = kept.account_id AND bucket.period = kept.period`,
  `INSERT INTO key_month AS old (key_id, month, account_id, held)
    SELECT key_id, month, min(account_id), sum(microcredits)::bigint FROM open_hold
    WHERE is_capped AND microcredits > 0 GROUP BY 1, 2
    ON CONFLICT (key_id, month) DO UPDATE SET held = excluded.held`,
  `UPDATE usage_watermark SET xid = '2', seal = DEFAULT`,
  `SELECT setval('entry_number', greatest(1, last), last > 0) FROM (
      SELECT greatest((SELECT max(number) FROM entry), (SELECT max(last) FROM ledger_segment), 0) AS last
    ) AS numbers`,
  ...[
    ['account', 'sequence'],
    ['api_key', 'sequence'],
    ['admin_token', 'sequence'],
    ['audit', 'sequence'],
    ['request_group', 'sequence'],
    ['alert', 'sequence'],
    ['batch', 'sequence'],
    ['native_submission', 'id'],
  ].map(
    ([table, column]) => `
      SELECT setval(pg_get_serial_sequence('${table}', '${column}'), greatest(1, last), last > 0)
      FROM (SELECT coalesce(max(${column}), 0) AS last FROM ${table}) AS numbers`,
  ),
];
