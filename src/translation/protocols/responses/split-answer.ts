import { listOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Frame } from '../../contract/frame.ts';

/** The last event by the status of a response. */
const endings: Readonly<Record<string, string>> = {
  completed: 'response.completed',
  incomplete: 'response.incomplete',
  failed: 'response.failed',
  cancelled: 'response.failed',
};

/** Splits a whole response into the frames that a decoder needs. */
export function splitAnswer(text: string): Frame[] {
  const response = parseObject(text);
  const status = textOf(response.status);
  if (!Array.isArray(response.output) && !isObject(response.error))
    throw new SyntaxError('the answer has no output');
  // Some hosts omit the status. `queued` and `in_progress` are not answers.
  const ending = lookUp(endings, status ?? 'completed');
  if (ending === undefined) throw new SyntaxError('the answer is not finished');
  if (!Array.isArray(response.output) && ending !== 'response.failed')
    throw new SyntaxError('the response is an error');
  return [
    frame('response.created', { response: { ...response, output: [] } }),
    ...listOf(response.output).map((item, index) =>
      frame('response.output_item.done', { output_index: index, item }),
    ),
    frame(ending, { response }),
  ];
}

const frame = (type: string, fields: Record<string, unknown>): Frame => ({
  event: type,
  data: JSON.stringify({ type, ...fields }),
});
