import { isoTime } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import type { WrittenEntry } from '../../money/ledger/entry.ts';
import { requestOfDifference } from '../../money/ledger/entry-id.ts';
import { listCostOf } from '../../money/ledger/list-cost-of.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import { entryReceipt, entryReceiptView } from './entry-receipt-view.ts';

const text = Type.String();
const count = Type.Integer();

/** An entry of the ledger as operators see it. */
export const ledgerEntry = Type.Object(
  {
    id: text,
    at: Type.String({
      format: 'date-time',
      description: 'ISO 8601, UTC. For usage: the time at which the request was admitted.',
    }),
    kind: Type.Enum(['usage', 'grant', 'purchase', 'renewal', 'adjustment']),
    key_id: orNull(text),
    request_id: orNull(text, 'An adjustment names the request whose estimate it corrects.'),
    model: orNull(text),
    served_model: orNull(text),
    input_tokens: orNull(count, 'All input tokens.'),
    cached_input_tokens: orNull(count, 'The part of the input that was read from a cache.'),
    output_tokens: orNull(count),
    microcredits: Type.Integer({
      description:
        'For usage: the amount charged. For other kinds: the amount added to the balance, or removed if negative.',
    }),
    list_cost_microcredits: orNull(count, 'Cost of the usage at its rates, before any limit.'),
    shortfall_microcredits: orNull(count, 'The part of the list cost that a balance or a cap did not cover.'),
    balance: Type.Enum(['monthly', 'purchased']),
    reason: orNull(text),
    receipt: orNull(entryReceipt),
    sequence: count,
    hash: Type.String({ description: "SHA-256 over this entry and the account's previous one." }),
    unreadable: Type.Optional(
      Type.Literal(true, {
        description: 'The entry was tampered with. Only its id and its hash are known.',
      }),
    ),
  },
  { title: 'Ledger Entry' },
);
export type EntryView = ViewOf<typeof ledgerEntry>;

/** Shows an entry. A usage entry has its receipt, with the calls to providers. */
export function entryView(entry: WrittenEntry): EntryView {
  const { id, at, kind, period, microcredits, receipt, reason, sequence, hash, isUnreadable } = entry;
  const listCost = receipt && listCostOf(entry, receipt);
  return {
    id,
    at: isoTime(at),
    kind,
    key_id: receipt?.keyId ?? null,
    request_id: receipt?.requestId ?? requestOfDifference(id) ?? null,
    model: receipt?.model ?? null,
    served_model: receipt?.servedModel ?? null,
    input_tokens: receipt?.tokens.input ?? null,
    cached_input_tokens: receipt?.tokens.cachedInput ?? null,
    output_tokens: receipt?.tokens.output ?? null,
    microcredits,
    list_cost_microcredits: listCost,
    shortfall_microcredits: listCost === null ? null : listCost - microcredits,
    balance: balanceOf(period),
    reason,
    receipt: receipt && entryReceiptView(entry, receipt),
    sequence,
    hash,
    ...(isUnreadable && { unreadable: true }),
  };
}
