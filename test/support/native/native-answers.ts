import type { Json } from '../call.ts';
import { HIDDEN } from '../recording-upstream.ts';
import { lastMessage } from './native-outcome.ts';

const USAGE = { input: 1_000, output: 50 };
/** The usage of an answer to `miscount`, which no answer can have. */
const IMPOSSIBLE_USAGE = { input: 100_000_000, output: 100_000_000 };

const usageFor = (body: Json) => (lastMessage(body) === 'miscount' ? IMPOSSIBLE_USAGE : USAGE);

/** Answers a request in the protocol of messages. */
export function nativeMessage(body: Json): Json {
  const { input, output } = usageFor(body);
  return {
    id: `${HIDDEN}-id`,
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [{ type: 'text', text: `native: ${lastMessage(body)}` }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: output },
  };
}

/** Answers a chat completion. */
export function nativeCompletion(body: Json): Json {
  const { input, output } = usageFor(body);
  return {
    id: `${HIDDEN}-id`,
    object: 'chat.completion',
    created: 1_750_000_000,
    model: body.model,
    choices: Array.from({ length: body.n ?? 1 }, (_, index) => ({
      index,
      finish_reason: 'stop',
      message: { role: 'assistant', content: `native: ${lastMessage(body)}` },
    })),
    usage: { prompt_tokens: input, completion_tokens: output },
  };
}

const errorTypes: Record<number, string> = { 400: 'invalid_request_error', 529: 'overloaded_error' };

/** Returns an error whose text no client may see. */
export const nativeError = (status: number): Json => ({
  type: errorTypes[status] ?? 'api_error',
  message: status === 400 ? `max_tokens is too high at http://${HIDDEN}.invalid/` : HIDDEN,
});
