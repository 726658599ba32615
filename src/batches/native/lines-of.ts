import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import { parseObject } from '../../base/json/read-json.ts';

/** The longest line. It allows the largest answer to one request. */
const MAX_LINE = 64 * 1024 * 1024;

/** Yields the JSON objects of a JSONL body. Throws a refusal if the body is invalid or incomplete. */
export async function* linesOf(response: Response): AsyncGenerator<JsonObject> {
  const decoder = new TextDecoder();
  let unfinished = '';
  try {
    for await (const chunk of response.body ?? []) {
      const [end = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
      lines.unshift(unfinished + end);
      unfinished = lines.pop() ?? '';
      if (unfinished.length > MAX_LINE) throw new SyntaxError('line too long');
      for (const line of lines) if (line.trim() !== '') yield parseObject(line);
    }
    if (unfinished.trim() !== '') yield parseObject(unfinished);
  } catch (error) {
    throw new Refusal('upstream_unavailable', { cause: error });
  }
}
