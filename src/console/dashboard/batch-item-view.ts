import type { ResultRow } from '../../batches/stored/batch.ts';
import { lineOfRow } from '../../batches/stored/result-line.ts';
import type { BatchItemAnswer } from './batch-schema.ts';
import { textOfAnswer } from './text-of-answer.ts';

/** The characters of a result and of an answer's text that a page shows. The download has all of them. */
const SHOWN_RESULT = 4_000;
const SHOWN_ANSWER = 600;

type Line = {
  result: {
    message?: unknown;
    response?: unknown;
    error?: { error?: Partial<Record<'type' | 'code' | 'message', unknown>> };
  };
};

/** Shows an item of a batch in the form of the dashboard's API. Viewers see no content. */
export function batchItemView(row: ResultRow, hasContent: boolean): BatchItemAnswer {
  const { number, customId, requestId, line } = row;
  const status = row.result as BatchItemAnswer['status'];
  const about = { number, custom_id: customId, request_id: requestId, status };
  if (status === 'queued' || status === 'running')
    return { ...about, bytes: 0, answer: null, error: null, result: null, is_cut: false };
  const text = lineOfRow(row).trimEnd();
  const { result } = JSON.parse(text) as Line;
  const bytes = line === null ? 0 : Buffer.byteLength(line);
  const error = errorOf(result);
  if (!hasContent) return { ...about, bytes, answer: null, error, result: null, is_cut: false };
  const answer = textOfAnswer(result.message ?? result.response);
  return {
    ...about,
    bytes,
    answer: answer === null ? null : answer.slice(0, SHOWN_ANSWER),
    error,
    result: text.slice(0, SHOWN_RESULT),
    is_cut: text.length > SHOWN_RESULT,
  };
}

/** Both envelopes have the member `error`. The chat one names a code, which says more than the type. */
function errorOf({ error }: Line['result']): BatchItemAnswer['error'] {
  const reason = error?.error;
  return reason
    ? { type: String(reason.code ?? reason.type ?? ''), message: String(reason.message ?? '') }
    : null;
}
