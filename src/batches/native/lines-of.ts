import { Refusal } from '../../base/errors/refusal.ts';

/** The longest line. It allows the largest answer to one request. */
const MAX_LINE = 64 * 1024 * 1024;

/** Yields the JSON objects of a JSONL body. Throws a refusal if the body is invalid or incomplete. */
export async function* linesOf(response: Response): AsyncGenerator<Record<string, unknown>> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of response.body ?? []) {
      rest += decoder.decode(chunk, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop()!;
      if (rest.length > MAX_LINE) throw new SyntaxError('line too long');
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as Record<string, unknown>;
    }
    if (rest.trim() !== '') yield JSON.parse(rest) as Record<string, unknown>;
  } catch (error) {
    throw new Refusal('upstream_unavailable', { cause: error });
  }
}
