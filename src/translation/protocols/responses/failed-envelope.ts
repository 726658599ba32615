import type { Refusal } from '../../../base/errors/refusal.ts';
import { jsonList } from '../../../base/json/json-list.ts';
import { patchText } from '../../../base/json/patch-json.ts';
import { unixSeconds } from '../../../base/lib/unix-seconds.ts';
import { encodeEnvelope } from './envelope.ts';
import { failedError } from './failed-error.ts';
import type { EnvelopeTerms } from './patch-envelope.ts';

type BrokenAnswer = {
  /** The last response object that the client received, if any. */
  lastEnvelope: string | undefined;
  /** The texts of the output items so far. */
  items: readonly string[];
  refusal: Refusal;
};

/** Builds the response object of a broken stream: its output so far, and the error. */
export const failedEnvelope = (
  { lastEnvelope, items, refusal }: BrokenAnswer,
  terms: EnvelopeTerms,
): string =>
  patchText(lastEnvelope ?? emptyEnvelope(terms), {
    status: '"failed"',
    error: JSON.stringify(failedError(refusal)),
    output: jsonList(items),
  });

function emptyEnvelope({ label, requestBody: body }: EnvelopeTerms): string {
  const head = { responseId: label.id, model: label.model, createdAt: unixSeconds(), body: { value: body } };
  return JSON.stringify(encodeEnvelope(head, { status: 'failed', output: [], outputText: '' }));
}
