import { usageEntryId } from '../../../money/ledger/entry-id.ts';
import { monthOf } from '../../../money/ledger/month-of.ts';
import type { PostgresHold } from './postgres-hold.ts';

/** Returns the columns of `open_hold` that the gate writes. */
export const holdRow = ({ order, microcredits, budgets }: PostgresHold) => ({
  request_id: order.requestId,
  account_id: order.accountId,
  key_id: order.keyId,
  pays: order.pays,
  period: order.pays === 'purchased' ? 'purchased' : order.period.id,
  month: monthOf(order.at),
  microcredits,
  is_capped: order.keyCapMicrocredits !== null,
  at: order.at,
  entry_id: usageEntryId(order.requestId),
  ...(budgets && { budgets }),
});
