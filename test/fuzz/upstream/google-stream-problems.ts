import type { Json } from '../../support/call.ts';
import { googleErrorProblems } from '../envelope-problems.ts';
import type { SseEvent } from './sse-events.ts';

/**
 * Lists the problems of a stream of Google's dialect. It ends with a finish reason and usage, with an error,
 * or with the reason why the prompt was blocked.
 */
export function googleStreamProblems(events: readonly SseEvent[], { model }: { model: string }): string[] {
  const chunks = events.map(({ data }) => data);
  const last = chunks.at(-1);
  const named = events.filter(({ name }) => name !== undefined).map(({ name }) => `an event ${name}`);
  if (last?.error)
    return [...named, ...googleErrorProblems(last.error), ...chunkProblems(chunks.slice(0, -1), model)];
  return [
    ...named,
    ...chunkProblems(chunks, model),
    ...(chunks.some(isEnd) ? [] : [`no end: ${JSON.stringify(last)?.slice(0, 300)}`]),
    ...(chunks.some(isCounted) ? [] : ['no usage']),
  ];
}

const isBlocked = (chunk: Json): boolean => typeof chunk?.promptFeedback?.blockReason === 'string';

const isEnd = (chunk: Json): boolean =>
  isBlocked(chunk) ||
  (Array.isArray(chunk?.candidates) && chunk.candidates.some((one: Json) => one?.finishReason != null));

const isCounted = (chunk: Json): boolean =>
  isBlocked(chunk) || Number.isSafeInteger(chunk?.usageMetadata?.promptTokenCount);

/** The names are the gateway's. An upstream may send chunks without names. */
function chunkProblems(chunks: readonly Json[], model: string): string[] {
  const odd = chunks.find(
    (chunk) => typeof chunk !== 'object' || chunk === null || (chunk.modelVersion ?? model) !== model,
  );
  return odd === undefined ? [] : [`no chunk: ${JSON.stringify(odd).slice(0, 400)}`];
}
