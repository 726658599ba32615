import { Refusal } from '../../../base/errors/refusal.ts';

/** An answer to one request, with room to spare. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** The JSON objects of a body of lines, one after the other; throws a refusal where it breaks or is none. */
export async function* linesOf(response: Response): AsyncGenerator<Record<string, unknown>> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of response.body ?? []) {
      rest += decoder.decode(chunk, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop()!;
      if (rest.length > LONGEST_LINE) throw new SyntaxError('a line without an end');
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as Record<string, unknown>;
    }
    if (rest.trim() !== '') yield JSON.parse(rest) as Record<string, unknown>;
  } catch (error) {
    throw new Refusal('upstream_unavailable', { cause: error });
  }
}
