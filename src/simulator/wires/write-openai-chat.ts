import { interleave } from '../model/interleave.ts';
import {
  type ReplyPart,
  type SimulatorChoice,
  type SimulatorReply,
  type SimulatorToolCall,
  type TokenRun,
  textOf,
} from '../model/reply.ts';
import { type SimulatorEvent, streamEvent } from '../model/stream-event.ts';
import type { SimulatorExchange } from '../model/wire.ts';
import { chatLogprobs } from './openai-logprobs.ts';
import { chatUsage } from './openai-usage.ts';

export type ChatOptions = {
  includeUsage: boolean;
  /** The number of alternatives for each token. Undefined if the request asks for no log probabilities. */
  topLogprobs?: number | undefined;
};

export type ChatAnswer = { exchange: SimulatorExchange; reply: SimulatorReply; options: ChatOptions };

const FINISH_REASONS = {
  end: 'stop',
  length: 'length',
  'stop-sequence': 'stop',
  'tool-calls': 'tool_calls',
  refusal: 'stop',
} as const;

const FIELDS = { thinking: 'reasoning_content', text: 'content', refusal: 'refusal' } as const;

const isCall = (part: ReplyPart): part is SimulatorToolCall => part.kind === 'tool-call';

/** More calls than one choice has, so that each call of an answer has a number of its own. */
const CALLS_PER_CHOICE = 1_000;

const callId = (exchange: SimulatorExchange, choice: number, call: number): string =>
  exchange.id('call_', choice * CALLS_PER_CHOICE + call + 1);

const SERVED_BY = { service_tier: 'default', system_fingerprint: 'fp_simulated' } as const;

function envelope({ exchange }: ChatAnswer, object: string) {
  return { id: exchange.id('chatcmpl-'), object, created: exchange.createdSeconds, model: exchange.model };
}

export function writeChatBody(answer: ChatAnswer): unknown {
  const { exchange, reply } = answer;
  return {
    ...envelope(answer, 'chat.completion'),
    choices: reply.choices.map((choice, index) => writeChoice(answer, choice, index)),
    ...(exchange.reportsUsage && { usage: chatUsage(reply.usage) }),
    ...SERVED_BY,
  };
}

function writeChoice({ exchange, options }: ChatAnswer, choice: SimulatorChoice, index: number) {
  const find = (kind: keyof typeof FIELDS) => choice.parts.find((part) => part.kind === kind);
  const thinking = find('thinking');
  const text = find('text');
  const refusal = find('refusal');
  const calls = choice.parts.filter(isCall);
  const noText = calls.length > 0 || refusal ? null : '';
  return {
    index,
    message: {
      role: 'assistant',
      content: text ? textOf(text) : noText,
      ...(thinking && { reasoning_content: textOf(thinking) }),
      refusal: refusal ? textOf(refusal) : null,
      annotations: [],
      ...(calls.length > 0 && {
        tool_calls: calls.map((call, callIndex) => ({
          id: callId(exchange, index, callIndex),
          ...callee(call, textOf(call)),
        })),
      }),
    },
    logprobs: text ? logprobs(text.pieces, options) : null,
    finish_reason: FINISH_REASONS[choice.stop],
  };
}

const callee = ({ name, freeform }: SimulatorToolCall, input: string) =>
  freeform
    ? { type: 'custom', custom: { name, input } }
    : { type: 'function', function: { name, arguments: input } };

const logprobs = (pieces: TokenRun[], { topLogprobs }: ChatOptions) =>
  topLogprobs === undefined ? null : { content: chatLogprobs(pieces, topLogprobs), refusal: null };

export function* writeChatEvents(answer: ChatAnswer): Iterable<SimulatorEvent> {
  const { exchange, reply, options } = answer;
  yield* interleave(reply.choices.map((choice, index) => choiceEvents(answer, choice, index)));
  if (options.includeUsage && exchange.reportsUsage) {
    yield streamEvent({ ...chunkHead(answer), choices: [], usage: chatUsage(reply.usage) });
  }
  yield { data: '[DONE]', tokens: 0 };
}

const chunkHead = (answer: ChatAnswer) => ({ ...envelope(answer, 'chat.completion.chunk'), ...SERVED_BY });

function* choiceEvents(answer: ChatAnswer, choice: SimulatorChoice, index: number): Iterable<SimulatorEvent> {
  const chunk = (delta: object, tokens = 0, members: object = {}) =>
    streamEvent(
      {
        ...chunkHead(answer),
        choices: [{ index, delta, logprobs: null, finish_reason: null, ...members }],
        ...(answer.options.includeUsage && { usage: null }),
      },
      tokens,
    );
  yield chunk({ role: 'assistant', content: '', refusal: null });
  let call = 0;
  for (const part of choice.parts) {
    if (isCall(part)) {
      yield* callDeltas(part, { index: call, id: callId(answer.exchange, index, call) }).map(
        ({ delta, tokens }) => chunk(delta, tokens),
      );
      call += 1;
      continue;
    }
    for (const piece of part.pieces) {
      const members = part.kind === 'text' ? { logprobs: logprobs([piece], answer.options) } : {};
      yield chunk({ [FIELDS[part.kind]]: piece.text }, piece.tokens, members);
    }
  }
  yield chunk({}, 0, { finish_reason: FINISH_REASONS[choice.stop] });
}

/** Returns the deltas of a call: its id and name first, and then the pieces of its input. */
function callDeltas(part: SimulatorToolCall, { index, id }: { index: number; id: string }) {
  const head = { delta: { tool_calls: [{ index, id, ...callee(part, '') }] }, tokens: 0 };
  const inputs = part.pieces.map(({ text, tokens }) => {
    const input = part.freeform ? { custom: { input: text } } : { function: { arguments: text } };
    return { delta: { tool_calls: [{ index, ...input }] }, tokens };
  });
  return [head, ...inputs];
}
