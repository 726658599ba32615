import type { Refusal } from '../../base/errors/refusal.ts';
import type { ExchangeNotes } from './exchange-notes.ts';

/** Notes why the client got no answer, or no whole one. */
export function noteRefusal(notes: ExchangeNotes, refusal: Refusal): void {
  const { facts, reason } = refusal.details;
  notes.errorCode = refusal.code;
  notes.errorMessage = refusal.message;
  if (refusal.param !== null) notes.errorParam = refusal.param;
  if (facts) notes.refusalFacts = facts;
  if (reason) notes.refusalReason = reason;
}
