import type { Json } from '../../support/call.ts';
import { errorProblems } from '../envelope-problems.ts';
import type { SseEvent } from './sse-events.ts';

type RequestFacts = { model: string; showsUsage: boolean };

/** Lists the problems of a stream of chunks. It ends with `[DONE]`, or with an error as its last event. */
export function chatStreamProblems(
  events: readonly SseEvent[],
  { model, showsUsage }: RequestFacts,
): string[] {
  const last = events.at(-1)?.data;
  const chunks = events.slice(0, -1).map(({ data }) => data);
  if (last?.error) return [...errorProblems(last.error), ...chunkProblems(chunks, model)];
  if (last !== '[DONE]') return [`no end: ${JSON.stringify(last)?.slice(0, 300)}`];
  const usage = chunks.findLast((chunk) => chunk?.usage)?.usage;
  return [...chunkProblems(chunks, model), ...(showsUsage && !isCounted(usage) ? ['no usage'] : [])];
}

const isCounted = (usage: Json): boolean =>
  Number.isSafeInteger(usage?.prompt_tokens) && Number.isSafeInteger(usage?.completion_tokens);

function chunkProblems(chunks: readonly Json[], model: string): string[] {
  const odd = chunks.find(
    (chunk) => chunk?.model !== model || chunk.id !== chunks[0]?.id || !Array.isArray(chunk.choices),
  );
  return odd === undefined ? [] : [`no chunk: ${JSON.stringify(odd).slice(0, 400)}`];
}
