import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import { entryIdOf } from '../../money/ledger/entry-id.ts';
import { receiptView } from './receipt-view.ts';
import type { UsageEndpointParts } from './usage-endpoint-parts.ts';

/**
 * Returns the receipt of a request to any key of the charged account. For other accounts, the receipt does
 * not exist.
 */
export async function showReceipt(
  exchange: Exchange,
  { authenticator, ledger }: UsageEndpointParts,
): Promise<Reply | Refusal> {
  const principal = await authenticator.authenticateRead(exchange, 'either');
  if (principal instanceof Refusal) return principal;
  const entry = await ledger.findEntry(entryIdOf(exchange.params.request_id!));
  if (!entry?.receipt || entry.accountId !== principal.account.id) {
    return new Refusal('not_found', {
      message:
        'No charge is recorded for this request. It was free, has not ended, or belongs to another account.',
    });
  }
  return jsonReply(200, receiptView(entry, entry.receipt), { 'cache-control': 'private, no-store' });
}
