import type { Draws } from '../kernel/draws.ts';

export type Wire = 'openai-chat' | 'anthropic-messages';
/** Tokens. `input` includes those that were read from a cache. */
export type Usage = { input: number; cached: number; output: number };

/** The request of the gateway to a vendor. */
export type VendorRequest = {
  wire: Wire;
  model: string;
  isStream: boolean;
  /** The vendor reports usage in a stream only if it is asked for. */
  wantsUsage: boolean;
  /** The first word of the prompt names the request. */
  marker: string;
  /** The most tokens of the answer. */
  ceiling: number | undefined;
};

const words = ['stone', 'river', 'cloud', 'green', 'seven', 'light', 'under', 'later'];

/** The most pieces of an answer without a ceiling. */
const MAX_PIECES = 12;
const HIGH_CEILING = 100;
/** The shortest body of a request holds this amount for its prompt. */
const MAX_PROMPT = 80;
/** The share of answers whose prompt was in a cache, in whole or in part. */
const CACHED = 0.3;

/**
 * Draws the text and the usage of an answer. The usage is at least the tokens of the text, up to the ceiling.
 */
export function drawText(random: Draws, ceiling = Number.POSITIVE_INFINITY): Drawn {
  const count = random.between(1, MAX_PIECES);
  const pieces = Array.from({ length: count }, () => `${random.of(words)} `);
  const usual = 8 + 2 * count + random.below(6);
  // The model thinks, which no text shows. A high ceiling is what an account has left.
  const isFull = Number.isFinite(ceiling) && random.chance(ceiling > HIGH_CEILING ? 0.6 : 0.3);
  const output = isFull ? ceiling : Math.min(usual, ceiling);
  // The gateway expects no more of the prompt than its bytes.
  const input = isFull ? MAX_PROMPT : random.between(5, 15);
  const cached = random.chance(CACHED) ? random.below(input + 1) : 0;
  return { pieces, usage: { input, cached, output } };
}

type Drawn = { pieces: string[]; usage: Usage };
type Texts = {
  request: VendorRequest;
  pieces: readonly string[];
  usage: Usage | undefined;
  /** The number of pieces after which a stream reports its usage so far. Undefined if it does not. */
  countsEvery?: number | undefined;
};

/** Returns the usage that a vendor reports after a number of pieces. It is at least that of their text. */
export const usageSoFar = ({ input, cached }: Usage, pieces: number): Usage => ({
  input,
  cached,
  output: 4 + pieces,
});

const openaiUsage = ({ input, cached, output }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  ...(cached > 0 && { prompt_tokens_details: { cached_tokens: cached } }),
});
const anthropicUsage = ({ input, cached, output }: Usage) => ({
  input_tokens: input - cached,
  ...(cached > 0 && { cache_read_input_tokens: cached }),
  output_tokens: output,
});

const bodies: Record<Wire, (texts: Texts) => unknown> = {
  'openai-chat': ({ request, pieces, usage }) => ({
    id: `chatcmpl-${request.marker}`,
    object: 'chat.completion',
    created: 1_750_000_000,
    model: request.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: `${request.marker} ${pieces.join('')}` },
        finish_reason: 'stop',
      },
    ],
    ...(usage && { usage: openaiUsage(usage) }),
  }),
  'anthropic-messages': ({ request, pieces, usage }) => ({
    id: `msg_${request.marker}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: [{ type: 'text', text: `${request.marker} ${pieces.join('')}` }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    ...(usage && { usage: anthropicUsage(usage) }),
  }),
};

function chatEvents({ request, pieces, usage, countsEvery }: Texts): string[] {
  const base = { id: `chatcmpl-${request.marker}`, created: 1_750_000_000, model: request.model };
  const chunk = (choices: unknown[], rest = {}) =>
    `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...rest })}\n\n`;
  const isCounted = (before: number) => request.wantsUsage && countsEvery && before % countsEvery === 0;
  const delta = (content: string, before: number, rest = {}) =>
    chunk(
      [{ index: 0, delta: { content, ...rest }, finish_reason: null }],
      usage && isCounted(before) ? { usage: openaiUsage(usageSoFar(usage, before)) } : {},
    );
  return [
    delta(`${request.marker} `, 0, { role: 'assistant' }),
    ...pieces.map((piece, index) => delta(piece, index + 1)),
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    ...(usage && request.wantsUsage ? [chunk([], { usage: openaiUsage(usage) })] : []),
    'data: [DONE]\n\n',
  ];
}

function messageEvents({ request, pieces, usage }: Texts): string[] {
  const event = (type: string, rest: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
  const delta = (text: string) =>
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
  const message = {
    ...(bodies['anthropic-messages']({ request, pieces: [], usage }) as object),
    content: [],
    stop_reason: null,
    ...(usage && { usage: anthropicUsage({ ...usage, output: 1 }) }),
  };
  return [
    event('message_start', { message }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    delta(`${request.marker} `),
    ...pieces.map(delta),
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      ...(usage && { usage: { output_tokens: usage.output } }),
    }),
    event('message_stop', {}),
  ];
}

/** Lists the pieces of a good answer. A whole answer has one. */
export function answerPieces(texts: Texts): string[] {
  const { wire, isStream } = texts.request;
  if (!isStream) return [JSON.stringify(bodies[wire](texts))];
  return wire === 'openai-chat' ? chatEvents(texts) : messageEvents(texts);
}

/** Returns the first word of the last message. */
export function markerOf(messages: unknown[]): string {
  const text = JSON.stringify(messages.at(-1));
  return /\b(q\d+(?:-\d+)?)\b/.exec(text)?.[1] ?? 'unknown';
}

export const errorBody = (wire: Wire, message: string): string =>
  JSON.stringify(
    wire === 'openai-chat'
      ? { error: { message, type: 'server_error', param: null, code: null } }
      : { type: 'error', error: { type: 'api_error', message } },
  );
