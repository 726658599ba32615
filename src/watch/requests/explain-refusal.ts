import type { RefusalFacts } from '../../base/errors/refusal-facts.ts';
import { adviceFor, type RefusalAdvice } from './refusal-advice.ts';
import { refusalSentence } from './refusal-sentence.ts';
import type { RequestRecord } from './request-record.ts';

export type ExplainedRefusal = {
  code: string;
  /** The cause of the refusal, with its figures. */
  sentence: string;
  /** The remedy. */
  advice: RefusalAdvice | null;
  facts: RefusalFacts | null;
};

type RefusedRecord = Pick<RequestRecord, 'code' | 'message' | 'param' | 'facts' | 'ended_at'>;

/** Explains why a request was refused. Returns undefined if it was not refused. */
export function explainRefusal({
  code,
  message,
  param,
  facts,
  ended_at: at,
}: RefusedRecord): ExplainedRefusal | undefined {
  if (code === undefined) return undefined;
  const sentence = message ?? 'The request was refused.';
  const withField = param && !sentence.includes(param) ? `${sentence} The field is ${param}.` : sentence;
  return {
    code,
    sentence: (facts && refusalSentence(facts, at)) ?? withField,
    advice: adviceFor(code),
    facts: facts ?? null,
  };
}
