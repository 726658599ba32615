import type { Answer, Json } from '../../support/call.ts';
import { envelopeProblems } from '../envelope-problems.ts';
import type { FuzzDialect } from '../fuzz-dialects.ts';
import { chatStreamProblems } from './chat-stream-problems.ts';
import { googleStreamProblems } from './google-stream-problems.ts';
import { messagesStreamProblems } from './messages-stream-problems.ts';
import { responsesStreamProblems } from './responses-stream-problems.ts';
import { sseEvents } from './sse-events.ts';

/** The facts of a request that its answer depends on. */
export type Question = {
  dialect: FuzzDialect;
  model: string;
  isStream: boolean;
  showsUsage: boolean;
  isTranslated: boolean;
};

/** The checks of streams by dialect. */
const streamChecks = {
  chat: chatStreamProblems,
  completions: chatStreamProblems,
  messages: messagesStreamProblems,
  responses: responsesStreamProblems,
  gemini: googleStreamProblems,
  embeddings: () => ['a stream of embeddings'],
};

type Shape = (body: Json, model: string) => boolean;

const isCount = (count: unknown): boolean =>
  typeof count === 'number' && Number.isSafeInteger(count) && count >= 0;
const isList = (value: unknown): value is Json[] => Array.isArray(value);

/** The gateway's promises about a whole answer, which also hold for an upstream's own bytes. */
const shapes: Record<FuzzDialect['name'], Shape> = {
  chat: (body, model) =>
    body.model === model &&
    isList(body.choices) &&
    isCount(body.usage?.prompt_tokens) &&
    isCount(body.usage?.completion_tokens),
  completions: (body, model) =>
    body.model === model && isList(body.choices) && isCount(body.usage?.prompt_tokens),
  messages: (body, model) =>
    body.model === model &&
    isList(body.content) &&
    isCount(body.usage?.input_tokens) &&
    isCount(body.usage?.output_tokens),
  responses: (body, model) =>
    body.model === model &&
    isList(body.output) &&
    isCount(body.usage?.input_tokens) &&
    isCount(body.usage?.output_tokens),
  gemini: (body, model) =>
    (body.modelVersion ?? model) === model &&
    (body.promptFeedback !== undefined ||
      (isList(body.candidates) &&
        isCount(body.usageMetadata?.promptTokenCount) &&
        isCount(body.usageMetadata?.candidatesTokenCount ?? 0))),
  embeddings: (body, model) =>
    body.model === model && isList(body.data) && isCount(body.usage?.prompt_tokens),
};

/** Lists the promises of an answer that it breaks. */
export function answerProblems(
  { dialect, model, isStream, showsUsage, isTranslated }: Question,
  answer: Answer,
): string[] {
  if (answer.status !== 200) return envelopeProblems(answer, dialect.style);
  if (!isStream) return wholeProblems(dialect, answer, model);
  const events = sseEvents(answer.text);
  if (typeof events === 'string') return [events];
  return streamChecks[dialect.name](events, { model, showsUsage, isTranslated });
}

function wholeProblems({ name }: FuzzDialect, { body, text }: Answer, model: string): string[] {
  if (typeof body !== 'object' || body === null) return [`no JSON object: ${text.slice(0, 200)}`];
  return shapes[name](body, model) ? [] : [`not the shape of ${name}: ${text.slice(0, 600)}`];
}
