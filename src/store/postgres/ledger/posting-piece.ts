import type { FinishedJob } from '../../../base/jobs/job.ts';
import { type LabelValues, labelValues } from '../../../money/budgets/spend-labels.ts';
import type { Outcome } from '../../../money/ledger/entry.ts';
import { usageEntryId } from '../../../money/ledger/entry-id.ts';
import { entryPieces, receiptPieces } from '../../../money/ledger/entry-pieces.ts';
import type { Posting } from '../../../money/ledger/ledger-store.ts';
import { monthOf } from '../../../money/ledger/month-of.ts';
import { PURCHASED } from '../../../money/ledger/period.ts';
import { refuseUnreadable } from '../../../money/ledger/refuse-unreadable.ts';
import { renewalEntry } from '../../../money/ledger/renewal-entry.ts';
import type { StoredResponse } from '../../../money/ledger/stored-response.ts';
import { dayOf } from '../../../money/ledger/token-day.ts';

/**
 * A posting as the type `posting_piece` of the database has it. The text of its entry comes in pieces. The
 * database writes the sequence number and the charge between them.
 */
export type PostingPiece = {
  /** The id of the entry. */
  id: string;
  /** The ids of the request and of its account. */
  rq: string;
  ac: string;
  /** The time at which the request was admitted. */
  at: number;
  /** The balance that pays. */
  pd: string;
  /** The id of the key, and the calendar month of its cap. */
  ky: string;
  mo: string;
  /** True if purchased credit pays. */
  pu: boolean;
  /** The cap of the key, or `null` if the key has no cap. */
  cp: number | null;
  /** The list cost. */
  ct: number;
  /** The tokens, and the day that they count in. */
  tk: number;
  dn: number;
  /** The text before the sequence number, from there to the charge, and from there to the bound. */
  t1: string;
  t2: string;
  t3: string;
  /** The flags of the receipt, which follow the bound. */
  fl: string;
  /** The id of the renewal that opens a cycle, and its text after the sequence number. */
  ri?: string;
  r2?: string;
  /** True if the period ends, so that its beginning can be a renewal. */
  re: boolean;
  /** True if the hold can have a row in `open_hold`. */
  kept: boolean;
  /** True if the posting is an estimate of a request that was interrupted. */
  est: boolean;
  /** The labels for which budgets count the charge. */
  lb?: LabelValues;
  /** The most that may be charged. It is undefined if no budget bounds the charge. */
  mc?: number;
  /** The result of a batch item, for `finish_item`. */
  jb?: FinishedJob;
};

export type PieceOptions = {
  /** The hold can have a row in `open_hold`. */
  isKept: boolean;
};

/**
 * Returns a posting with the text of its entry in pieces. The database adds the sequence number and the
 * charged amount. Throws if the entry could not be read back.
 */
export function postingPiece(posting: Posting, { isKept }: PieceOptions): PostingPiece {
  const { hold, receipt, costMicrocredits, job } = posting;
  const { requestId, accountId, keyId, at, pays, period, keyCapMicrocredits, isBudgeted } = hold.order;
  const balance = pays === 'purchased' ? PURCHASED : period.id;
  const id = usageEntryId(requestId);
  const entry = {
    id,
    accountId,
    at,
    kind: 'usage' as const,
    period: balance,
    microcredits: costMicrocredits,
    receipt,
    reason: null,
  };
  refuseUnreadable(entry, 1);
  const [before, middle] = entryPieces(entry);
  const { charged, flags } = receiptPieces(receipt, at);
  const renewal = renewalEntry(accountId, period);
  const [, start, end] = entryPieces(renewal);
  const { tokens } = receipt;
  return {
    id,
    rq: requestId,
    ac: accountId,
    at,
    pd: balance,
    ky: keyId,
    mo: monthOf(at),
    pu: pays === 'purchased',
    cp: keyCapMicrocredits,
    ct: costMicrocredits,
    tk: tokens.input + tokens.output,
    dn: dayOf(at),
    t1: before,
    t2: middle,
    t3: `,null,${charged}`,
    fl: flags,
    ...(pays === 'monthly' && { ri: renewal.id, r2: `${start}${renewal.microcredits}${end}` }),
    re: period.endsAt !== null,
    kept: isKept,
    est: isRecovered(receipt.outcome),
    ...(receipt.labels && { lb: labelValues(receipt.labels) }),
    ...(isBudgeted && pays === 'purchased' && { mc: receipt.heldMicrocredits }),
    ...(job && { jb: job }),
  };
}

/** Returns a posting as JSON. The member `rs` has its response, for `insert_response`. */
export function postingText(
  posting: Posting,
  options: PieceOptions,
  packResponse: (response: StoredResponse) => string,
): string {
  const text = JSON.stringify(postingPiece(posting, options));
  const { response } = posting;
  return response ? `${text.slice(0, -1)},"rs":${packResponse(response)}}` : text;
}

const isRecovered = (outcome: Outcome): boolean => outcome === 'recovered';
