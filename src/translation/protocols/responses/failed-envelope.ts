import { membersOf, patchJson } from '../../../base/json/patch-json.ts';
import { encodeEnvelope } from './envelope.ts';
import type { EnvelopeTerms } from './patch-envelope.ts';

export type BrokenAnswer = {
  /** The last response object that the client received, if any. */
  lastEnvelope: string | undefined;
  /** The texts of the output items so far. */
  items: readonly string[];
  error: unknown;
};

/** Builds the response object of a broken stream: its output so far, and the error. */
export function failedEnvelope({ lastEnvelope, items, error }: BrokenAnswer, terms: EnvelopeTerms): string {
  const envelope = lastEnvelope ?? emptyEnvelope(terms);
  return patchJson(envelope, membersOf(envelope), {
    status: '"failed"',
    error: JSON.stringify(error),
    output: `[${items.join(',')}]`,
  });
}

function emptyEnvelope({ label, requestBody: body }: EnvelopeTerms): string {
  const createdAt = Math.floor(Date.now() / 1_000);
  const head = { responseId: label.id, model: label.model, createdAt, body: { value: body } };
  return JSON.stringify(encodeEnvelope(head, { status: 'failed', output: [], outputText: '' }));
}
