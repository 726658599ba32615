import { labelValues } from '../../../money/budgets/spend-labels.ts';
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

/** The fields of the type `posting_piece` in the database. */
export type PostingPiece = Readonly<Record<string, unknown>>;

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

/** Returns a posting and its response as JSON. */
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
