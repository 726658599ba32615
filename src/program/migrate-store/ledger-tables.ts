import { LARGE_SLICE, type MovedTable, SUMMED_SLICE, sameColumns } from './moved-table.ts';

const FIGURES = 'requests input_tokens cached_input_tokens output_tokens microcredits';

/** The amount that counts against each key's cap in each month. */
const keyMonths = `(
  SELECT account_id, key_id, month, SUM(microcredits) AS used FROM (
    SELECT account_id, key_id, strftime('%Y-%m', day * 86400, 'unixepoch') AS month, microcredits FROM usage_day
    UNION ALL
    SELECT account_id, key_id, strftime('%Y-%m', month / 1000, 'unixepoch'), -microcredits FROM key_excess
  ) GROUP BY account_id, key_id, month)`;

const ofOrder = (field: string): string => `json_extract(checkpoint, '$.posting.hold.order.${field}')`;

/** The ledger. Texts and hashes of entries stay as they are. */
export const ledgerTables: readonly MovedTable[] = [
  {
    name: 'ledger_segment',
    keys: ['id'],
    rows: 1,
    files: 'content',
    from: '(SELECT *, row_number() OVER (ORDER BY first) AS id FROM ledger_segment)',
    columns: { ...sameColumns('id first last entries sha256'), content: 'file' },
  },
  {
    name: 'entry',
    keys: ['number'],
    columns: {
      ...sameColumns('number id text hash'),
      account_id: "json_extract(text, '$[0]')",
      sequence: "json_extract(text, '$[1]')",
      at: "json_extract(text, '$[2]')",
      posted_at: "json_extract(text, '$[2]')",
      node: "''",
      // An id below the watermark, so that the entry is not added to the moved sums again.
      xid: "'1'",
    },
  },
  {
    name: 'account_head',
    keys: ['account_id'],
    columns: {
      ...sameColumns('account_id sequence number hash'),
      has_budgets: 'EXISTS (SELECT 1 FROM budget WHERE budget.account_id = account_head.account_id)',
    },
  },
  {
    name: 'bucket',
    keys: ['account_id', 'period'],
    columns: { ...sameColumns('account_id period granted used'), held: '0' },
  },
  {
    name: 'key_month',
    from: keyMonths,
    keys: ['key_id', 'month'],
    rows: SUMMED_SLICE,
    columns: { ...sameColumns('key_id month account_id used'), held: '0' },
  },
  { name: 'token_day', keys: ['account_id'], columns: sameColumns('account_id day tokens') },
  {
    name: 'usage_hour',
    keys: ['account_id', 'hour', 'key_id', 'model'],
    columns: sameColumns(`account_id hour key_id model ${FIGURES}`),
  },
  {
    name: 'usage_day',
    keys: ['account_id', 'day', 'key_id', 'model'],
    columns: sameColumns(`account_id day key_id model ${FIGURES}`),
  },
  {
    name: 'budget',
    keys: ['sequence'],
    columns: sameColumns(
      `sequence id account_id name scope target span kind limit_microcredits warn_share raised owner counter
      counts_from created_at revision`,
    ),
  },
  {
    name: 'budget_spend',
    keys: ['account_id', 'counter', 'target', 'bin'],
    columns: { ...sameColumns('account_id counter target bin used requests'), held: '0' },
  },
  { name: 'quarantine', keys: ['account_id'], columns: sameColumns('account_id since reason') },
  {
    name: 'unconfirmed',
    keys: ['entry_id'],
    rows: SUMMED_SLICE,
    from: '(SELECT id AS entry_id FROM unconfirmed JOIN entry ON number BETWEEN unconfirmed.first AND last)',
    columns: sameColumns('entry_id'),
  },
  {
    // Only the holds of items at providers are left in a directory whose server has stopped.
    name: 'open_hold',
    keys: ['request_id'],
    rows: LARGE_SLICE,
    columns: {
      ...sameColumns('request_id checkpoint'),
      node: "''",
      produced: '0',
      account_id: ofOrder('accountId'),
      key_id: ofOrder('keyId'),
      pays: ofOrder('pays'),
      at: ofOrder('at'),
      period: `CASE ${ofOrder('pays')} WHEN 'purchased' THEN 'purchased' ELSE ${ofOrder('period.id')} END`,
      month: `strftime('%Y-%m', ${ofOrder('at')} / 1000, 'unixepoch')`,
      microcredits: "json_extract(checkpoint, '$.posting.hold.microcredits')",
      is_capped: `${ofOrder('keyCapMicrocredits')} IS NOT NULL`,
      away_batch: "json_extract(checkpoint, '$.away.batch')",
      away_number: "json_extract(checkpoint, '$.away.number')",
    },
  },
];
