import { bearerOf } from '../model/bearer-of.ts';
import type { Field } from '../model/field.ts';
import { interleave } from '../model/interleave.ts';
import { PLAIN_PROMPT, type Prompt } from '../model/prompt.ts';
import { type SimulatorChoice, type SimulatorReply, type TokenRun, textOf } from '../model/reply.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import { type SimulatorEvent, streamEvent } from '../model/stream-event.ts';
import type { SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { openaiErrorBody } from './openai-errors.ts';
import { completionLogprobs } from './openai-logprobs.ts';
import { completionUsage } from './openai-usage.ts';
import { readOpenaiStops } from './read-openai-stops.ts';

/** The default output limit of this vendor. */
const DEFAULT_TOKENS = 16;
const MAX_CHOICES = 128;
/** The most choices of all prompts, which are all planned at once. */
const MAX_ALL_CHOICES = 4_096;
const MAX_ALTERNATIVES = 5;

type Draft = {
  exchange: SimulatorExchange;
  choices: CompletionChoice[];
  usage: unknown;
  includeUsage: boolean;
};
type CompletionChoice = {
  pieces: TokenRun[];
  stop: SimulatorChoice['stop'];
  alternatives: number | undefined;
};

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const { body } = exchange;
  const texts = readTexts(body.at('prompt'));
  const each = body.at('n').number({ min: 1, max: MAX_CHOICES }) ?? 1;
  if (texts.length * each > MAX_ALL_CHOICES)
    body.at('prompt').fail(`at most ${MAX_ALL_CHOICES} choices are supported`);
  const replies = texts.map((text) => exchange.plan(readPrompt(body, text)));
  const draft: Draft = {
    exchange,
    choices: replies.flatMap((reply, at) =>
      reply.choices.map((choice) => toChoice(exchange, choice, texts[at]!)),
    ),
    usage: sumUsage(replies),
    includeUsage: body.at('stream_options').at('include_usage').flag(),
  };
  return {
    streamed: body.at('stream').flag(),
    body: () => writeBody(draft),
    events: () => writeEvents(draft),
  };
}

/** Reads prompts. A list of numbers is one prompt of tokens, whose text the simulator does not decode. */
function readTexts(prompt: Field): string[] {
  if (prompt.isText()) return [prompt.text()];
  const items = prompt.someItems();
  if (items.every(({ value }) => typeof value === 'number')) return [`${items.length} tokens`];
  return items.map((item) => (item.isList() ? `${item.items().length} tokens` : item.text()));
}

function readPrompt(body: Field, text: string): Prompt {
  body.at('temperature').number({ min: 0, max: 2, whole: false });
  return {
    ...PLAIN_PROMPT,
    turns: [{ role: 'user', parts: [{ kind: 'text', text }] }],
    maxTokens: body.at('max_tokens').number({ min: 0 }) ?? DEFAULT_TOKENS,
    stops: readOpenaiStops(body.at('stop')),
    count: body.at('n').number({ min: 1, max: MAX_CHOICES }) ?? 1,
  };
}

function toChoice(
  { body, tokenizer }: SimulatorExchange,
  choice: SimulatorChoice,
  prompt: string,
): CompletionChoice {
  const echoed = body.at('echo').flag() ? tokenizer.pieces(prompt) : [];
  const alternatives = body.at('logprobs').number({ min: 0, max: MAX_ALTERNATIVES });
  return {
    pieces: [...echoed, ...choice.parts.flatMap(({ pieces }) => pieces)],
    stop: choice.stop,
    alternatives,
  };
}

function sumUsage(replies: SimulatorReply[]) {
  const sum = (name: 'input' | 'output') => replies.reduce((total, { usage }) => total + usage[name], 0);
  return completionUsage(sum('input'), sum('output'));
}

const envelope = ({ exchange }: Draft) => ({
  id: exchange.id('cmpl-'),
  object: 'text_completion',
  created: exchange.createdSeconds,
  model: exchange.model,
});

const finishReason = (stop: SimulatorChoice['stop']) => (stop === 'length' ? 'length' : 'stop');

const logprobs = (pieces: TokenRun[], { alternatives }: CompletionChoice, start = 0) =>
  alternatives === undefined ? null : completionLogprobs(pieces, alternatives, start);

function writeBody(draft: Draft): unknown {
  return {
    ...envelope(draft),
    choices: draft.choices.map((choice, index) => ({
      text: textOf(choice),
      index,
      logprobs: logprobs(choice.pieces, choice),
      finish_reason: finishReason(choice.stop),
    })),
    ...(draft.exchange.reportsUsage && { usage: draft.usage }),
  };
}

function* choiceEvents(draft: Draft, choice: CompletionChoice, index: number): Iterable<SimulatorEvent> {
  const nullUsage = draft.includeUsage ? { usage: null } : {};
  const chunk = (text: string, members: object, tokens = 0) =>
    streamEvent({ ...envelope(draft), choices: [{ text, index, ...members }], ...nullUsage }, tokens);
  let offset = 0;
  for (const piece of choice.pieces) {
    yield chunk(
      piece.text,
      { logprobs: logprobs([piece], choice, offset), finish_reason: null },
      piece.tokens,
    );
    offset += piece.text.length;
  }
  yield chunk('', { logprobs: null, finish_reason: finishReason(choice.stop) });
}

function* writeEvents(draft: Draft): Iterable<SimulatorEvent> {
  yield* interleave(draft.choices.map((choice, index) => choiceEvents(draft, choice, index)));
  if (draft.includeUsage && draft.exchange.reportsUsage) {
    yield streamEvent({ ...envelope(draft), choices: [], usage: draft.usage });
  }
  yield { data: '[DONE]', tokens: 0 };
}

export const OPENAI_COMPLETIONS: SimulatorWire = {
  id: 'openai-completions',
  path: /^\/completions$/,
  framing: SSE_FRAMING,
  credential: bearerOf,
  answer,
  failureBody: openaiErrorBody,
  failureEvents: (failure) => [streamEvent(openaiErrorBody(failure))],
};
