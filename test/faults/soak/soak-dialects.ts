import type { Json } from '../../support/call.ts';
import { type Dialect, markOf, type SoakRequest } from './draw-request.ts';

/** The tokens that a client was shown. `input` includes cached input. */
export type ShownUsage = { input: number; cached: number; output: number };

/** The facts in one event of a stream, or in a whole answer. */
export type Learned = {
  text?: string | undefined;
  /** The index of the answer, 0 by default. */
  choice?: number | undefined;
  /** A choice that came to its end. */
  finished?: number | undefined;
  usage?: ShownUsage | undefined;
  /** The type of the error that it is. */
  error?: string | undefined;
  isEnd?: boolean;
};

export type SoakDialect = {
  path: string;
  body(request: SoakRequest): Json;
  /** `data` is the content of one event. Chat's `[DONE]` is not JSON. */
  learn(data: Json, known: ShownUsage | undefined): Learned;
  learnWhole(body: Json): Learned;
};

const textOf = ({ number, prompts }: SoakRequest, prompt: number): string =>
  `${markOf(number, prompt)} ${prompts[prompt]!.input}`;
const turnsOf = (request: SoakRequest) => [{ role: 'user', content: textOf(request, 0) }];
const usageWish = ({ isStream, reportsUsage }: SoakRequest) =>
  isStream && reportsUsage ? { stream_options: { include_usage: true } } : {};

const openaiUsage = (usage: Json): ShownUsage | undefined =>
  usage && {
    input: usage.prompt_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
    output: usage.completion_tokens ?? 0,
  };

/** Chat and legacy completions differ in the place of a choice's text. */
const learnChunk = (data: Json): Learned => {
  if (data === '[DONE]') return { isEnd: true };
  if (data.error) return { error: data.error.type };
  const [choice] = data.choices;
  return {
    text: choice?.text ?? choice?.delta?.content,
    choice: choice?.index,
    finished: choice?.finish_reason ? choice.index : undefined,
    usage: openaiUsage(data.usage),
  };
};
const learnOpenai = (body: Json): Learned => ({
  isEnd: Array.isArray(body.choices ?? body.data),
  usage: openaiUsage(body.usage),
});

const MAX_OUTPUT = 2_000;

/** Reads the usage without cached input, which this dialect counts separately. */
const messagesUsage = (usage: Json): ShownUsage | undefined =>
  usage && {
    input:
      usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
    cached: usage.cache_read_input_tokens ?? 0,
    output: usage.output_tokens,
  };

/** The last event may repeat only the output. */
const laterUsage = (known: ShownUsage | undefined, usage: Json): ShownUsage | undefined =>
  usage?.input_tokens === undefined && known
    ? { ...known, output: usage?.output_tokens ?? known.output }
    : messagesUsage(usage);

const responsesUsage = (usage: Json): ShownUsage | undefined =>
  usage && {
    input: usage.input_tokens,
    cached: usage.input_tokens_details?.cached_tokens ?? 0,
    output: usage.output_tokens,
  };

export const soakDialects: Record<Dialect, SoakDialect> = {
  chat: {
    path: '/v1/chat/completions',
    body: (request) => ({
      messages: turnsOf(request),
      n: request.answers,
      max_tokens: request.ceiling,
      ...usageWish(request),
    }),
    learn: learnChunk,
    learnWhole: learnOpenai,
  },
  completions: {
    path: '/v1/completions',
    body: (request) => {
      const prompts = request.prompts.map((_, prompt) => textOf(request, prompt));
      return {
        prompt: prompts.length > 1 ? prompts : prompts[0],
        n: request.answers,
        max_tokens: request.ceiling ?? MAX_OUTPUT,
        ...usageWish(request),
      };
    },
    learn: learnChunk,
    learnWhole: learnOpenai,
  },
  messages: {
    path: '/v1/messages',
    body: (request) => ({ messages: turnsOf(request), max_tokens: request.ceiling ?? MAX_OUTPUT }),
    learn: (data, known) => ({
      text: data.delta?.text,
      finished: data.delta?.stop_reason ? 0 : undefined,
      usage: data.message ? messagesUsage(data.message.usage) : data.usage && laterUsage(known, data.usage),
      error: data.type === 'error' ? data.error.type : undefined,
      isEnd: data.type === 'message_stop',
    }),
    learnWhole: (body) => ({ isEnd: body.type === 'message', usage: messagesUsage(body.usage) }),
  },
  responses: {
    path: '/v1/responses',
    body: (request) => ({
      input: textOf(request, 0),
      max_output_tokens: request.ceiling,
      store: request.number % 2 === 0,
    }),
    learn: (data) => ({
      text: data.type === 'response.output_text.delta' ? data.delta : undefined,
      usage: responsesUsage(data.response?.usage),
      error: data.type === 'error' ? (data.error?.type ?? data.code) : undefined,
      isEnd: data.type === 'response.completed' || data.type === 'response.incomplete',
    }),
    learnWhole: (body) => ({ isEnd: body.object === 'response', usage: responsesUsage(body.usage) }),
  },
  embeddings: {
    path: '/v1/embeddings',
    body: (request) => ({ input: textOf(request, 0) }),
    learn: () => ({}),
    learnWhole: learnOpenai,
  },
};
