import type { ResultRow } from '../../batches/stored/batch.ts';
import { lineOfRow } from '../../batches/stored/result-line.ts';
import type { BatchItemAnswer } from './batch-schema.ts';
import { textOfAnswer } from './text-of-answer.ts';

/** The most characters of a result, and of an answer's text, on a page. The download has all of them. */
const MAX_RESULT = 4_000;
const MAX_ANSWER = 600;

type Line = {
  result: {
    message?: unknown;
    response?: unknown;
    error?: { error?: Partial<Record<'type' | 'code' | 'message', unknown>> };
  };
};

/** Shows an item of a batch in the form of the dashboard's API. Viewers see no content. */
export function batchItemView(row: ResultRow, { hasContent }: { hasContent: boolean }): BatchItemAnswer {
  const { number, customId, requestId, result: status, line } = row;
  const about = { number, custom_id: customId, request_id: requestId, status };
  if (status === 'queued' || status === 'running') return { ...about, bytes: 0, error: null, ...noContent };
  const text = lineOfRow(row).trimEnd();
  const { result }: Line = JSON.parse(text);
  const bytes = line === null ? 0 : Buffer.byteLength(line);
  const error = errorOf(result);
  if (!hasContent) return { ...about, bytes, error, ...noContent };
  const answer = textOfAnswer(result.message ?? result.response);
  return {
    ...about,
    bytes,
    error,
    answer: answer === null ? null : beginningOf(answer, MAX_ANSWER),
    is_answer_cut: answer !== null && answer.length > MAX_ANSWER,
    result: beginningOf(text, MAX_RESULT),
    is_cut: text.length > MAX_RESULT,
  };
}

const noContent = { answer: null, is_answer_cut: false, result: null, is_cut: false } as const;

/** Cuts the text. If the cut splits a surrogate pair, the pair becomes one replacement character. */
const beginningOf = (text: string, maxCharacters: number): string =>
  text.length > maxCharacters ? text.slice(0, maxCharacters).toWellFormed() : text;

/** Both envelopes have the member `error`. The chat one names a code, which says more than the type. */
function errorOf({ error }: Line['result']): BatchItemAnswer['error'] {
  const reason = error?.error;
  return reason
    ? { type: String(reason.code ?? reason.type ?? ''), message: String(reason.message ?? '') }
    : null;
}
