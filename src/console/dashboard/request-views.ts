import { receiptView } from '../../api/usage/receipt-view.ts';
import { catalogue } from '../../base/errors/catalogue.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { Receipt, WrittenEntry } from '../../money/ledger/entry.ts';
import { explainRefusal } from '../../watch/requests/explain-refusal.ts';
import type { RequestRecord } from '../../watch/requests/request-record.ts';
import { requestFacts, startOfRecord } from '../traffic/request-facts.ts';
import type { ListedRequest, ReceiptPart, RequestDetail } from './request-schema.ts';

/**
 * A record as members of its organization see it: without providers, their names of models, and their errors.
 */
export const listedView = (record: RequestRecord): ListedRequest => ({
  ...requestFacts(record),
  refusal: refusalView(record),
  attempts: record.calls?.length ?? 0,
});

function refusalView(record: RequestRecord): ListedRequest['refusal'] {
  const explained = explainRefusal(record);
  if (!explained) return null;
  const { code, sentence, advice } = explained;
  return {
    code,
    status: lookUp(catalogue, code)?.status ?? record.status ?? 500,
    message: record.message ?? lookUp(catalogue, code)?.message ?? '',
    param: record.param ?? null,
    sentence,
    advice,
  };
}

/** Shows a record with its calls, without the names of providers. */
export function detailView(record: RequestRecord): NonNullable<RequestDetail['request']> {
  const startedAt = startOfRecord(record);
  return {
    ...listedView(record),
    calls: (record.calls ?? []).map(({ after, ms, status, error }) => ({
      started_at: isoTime(Math.round(startedAt + after)),
      ms,
      status,
      outcome: error || status === null || status >= 400 ? 'failed' : 'answered',
    })),
  };
}

/** Shows the receipt of a request with its place in the ledger. */
export function receiptPart(entry: WrittenEntry, receipt: Receipt): ReceiptPart {
  const view = receiptView(entry, receipt);
  return {
    entry_id: entry.id,
    sequence: entry.sequence,
    hash: entry.hash,
    posted_at: view.ended_at ?? view.started_at,
    balance: view.balance,
    held_microcredits: view.held_microcredits,
    list_cost_microcredits: view.list_cost_microcredits,
    microcredits: view.microcredits,
    shortfall_microcredits: view.shortfall_microcredits,
    shortfall_reason: view.shortfall_reason,
    outcome: view.outcome,
    delivered: String(view.delivered),
    simulated: view.simulated ?? false,
    max_output_tokens: view.max_output_tokens,
    model: view.model,
    served_model: view.served_model,
    attempts: receipt.attempts,
    tokens: view.tokens,
    prices: view.prices,
    factors: view.factors ?? [],
    explanation: view.explanation,
  };
}
