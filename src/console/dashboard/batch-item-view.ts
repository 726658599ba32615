import type { ResultRow } from '../../batches/stored/batch.ts';
import { lineOfRow } from '../../batches/stored/result-line.ts';
import type { BatchItemAnswer } from './batch-schema.ts';
import { textOfAnswer } from './text-of-answer.ts';

const NO_CONTENT = { answer: null, is_answer_cut: false, result: null, is_cut: false } as const;

/** The most characters of a result on a page. The download has the whole result. */
const MAX_RESULT_LENGTH = 4_000;
/** The most characters of an answer's text on a page. */
const MAX_ANSWER_LENGTH = 600;

/** The part of a stored line that the page shows. `result-line.ts` writes the lines. */
type StoredLine = {
  result: {
    message?: unknown;
    response?: unknown;
    error?: { error?: Partial<Record<'type' | 'code' | 'message', unknown>> };
  };
};

/** Shows an item of a batch. Viewers see no content. */
export function batchItemView(row: ResultRow, { hasContent }: { hasContent: boolean }): BatchItemAnswer {
  const { number, customId, requestId, result: status, line } = row;
  // An item without a stored line waits, or was ended without an answer.
  const result = line === null ? undefined : (JSON.parse(line) as StoredLine).result;
  const summary = {
    number,
    custom_id: customId,
    request_id: requestId,
    status,
    bytes: line === null ? 0 : Buffer.byteLength(line),
    error: result ? errorOf(result) : null,
  };
  const isWaiting = status === 'queued' || status === 'running';
  if (!hasContent || isWaiting) return { ...summary, ...NO_CONTENT };
  const answer = textOfAnswer(result?.message ?? result?.response);
  const text = lineOfRow(row).trimEnd();
  return {
    ...summary,
    answer: answer === null ? null : beginningOf(answer, MAX_ANSWER_LENGTH),
    is_answer_cut: answer !== null && answer.length > MAX_ANSWER_LENGTH,
    result: beginningOf(text, MAX_RESULT_LENGTH),
    is_cut: text.length > MAX_RESULT_LENGTH,
  };
}

/** Cuts the text. If the cut splits a surrogate pair, the pair becomes one replacement character. */
const beginningOf = (text: string, maxLength: number): string =>
  text.length > maxLength ? text.slice(0, maxLength).toWellFormed() : text;

/** Both envelopes have the member `error`. The chat one names a code, which says more than the type. */
function errorOf({ error }: StoredLine['result']): BatchItemAnswer['error'] {
  const reason = error?.error;
  return reason
    ? { type: String(reason.code ?? reason.type ?? ''), message: String(reason.message ?? '') }
    : null;
}
