import {
  type ReplyPart,
  type SimulatorReply,
  type SimulatorStop,
  type SimulatorSummary,
  type SimulatorUsage,
  textOf,
} from '../model/reply.ts';
import { namedEvent, type SimulatorEvent } from '../model/stream-event.ts';
import type { SimulatorExchange } from '../model/wire.ts';
import { signSummary } from './seal-summary.ts';

export type MessagesAnswer = {
  exchange: SimulatorExchange;
  reply: SimulatorReply;
  /** False if the caller wants signatures without the thinking text. */
  showsThinking: boolean;
  /** The request can be compacted, so the usage has one row for each pass. */
  isManaged: boolean;
};

const STOP_REASONS: Record<SimulatorStop, string> = {
  end: 'end_turn',
  length: 'max_tokens',
  'stop-sequence': 'stop_sequence',
  'tool-calls': 'tool_use',
  refusal: 'refusal',
};

/** Converts usage. On this wire, input excludes tokens that were read from or written to the cache. */
function inputUsage({ input, cacheRead, cacheWrite }: SimulatorUsage) {
  return {
    input_tokens: input - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
  };
}

function cacheCreation({ cacheWrite, cacheLifetime }: SimulatorUsage) {
  const long = cacheLifetime === '1h' ? cacheWrite : 0;
  return { ephemeral_5m_input_tokens: cacheWrite - long, ephemeral_1h_input_tokens: long };
}

function fullUsage(usage: SimulatorUsage, output: number) {
  return {
    ...inputUsage(usage),
    cache_creation: cacheCreation(usage),
    output_tokens: output,
    service_tier: 'standard',
    inference_geo: 'not_available',
    speed: 'standard',
    server_tool_use: null,
  };
}

const thinkingDetail = (usage: SimulatorUsage) => ({
  output_tokens_details: { thinking_tokens: usage.thinking },
});

const iteration = (type: string, usage: SimulatorUsage) => ({
  type,
  ...inputUsage(usage),
  cache_creation: cacheCreation(usage),
  output_tokens: usage.output,
});

/** Returns the passes of the request. The tokens of a compaction are in no other count. */
function iterationsOf({ isManaged, exchange, reply: { summary, usage } }: MessagesAnswer): object {
  if (!isManaged) return {};
  const own = { ...iteration('message', usage), model: exchange.model };
  const passes = summary ? [iteration('compaction', summary.usage)] : [];
  return { iterations: summary?.isAlone ? passes : [...passes, own] };
}

const managed = ({ isManaged }: MessagesAnswer): object =>
  isManaged ? { context_management: { applied_edits: [] } } : {};

const choiceOf = ({ reply }: MessagesAnswer) => reply.choices[0]!;

function stopFields(answer: MessagesAnswer) {
  const { stop, stopSequence } = choiceOf(answer);
  const details = { type: 'refusal', category: null, explanation: 'The simulator was asked to refuse.' };
  return {
    stop_reason: answer.reply.summary?.isAlone ? 'compaction' : STOP_REASONS[stop],
    stop_sequence: stopSequence ?? null,
    stop_details: stop === 'refusal' ? details : null,
  };
}

const messageHead = ({ exchange }: MessagesAnswer) => ({
  model: exchange.model,
  id: exchange.id('msg_'),
  type: 'message',
  role: 'assistant',
  container: null,
  diagnostics: null,
});

export function writeMessagesBody(answer: MessagesAnswer): unknown {
  const { exchange, reply } = answer;
  const { summary, usage: reported } = reply;
  const usage = {
    ...fullUsage(reported, reported.output),
    ...thinkingDetail(reported),
    ...iterationsOf(answer),
  };
  const blocks = choiceOf(answer).parts.map((part, index) => blockOf(answer, part, index));
  return {
    ...messageHead(answer),
    content: summary ? [compactionBlock(summary, textOf(summary)), ...blocks] : blocks,
    ...stopFields(answer),
    ...managed(answer),
    ...(exchange.reportsUsage && { usage }),
  };
}

const compactionBlock = (summary: SimulatorSummary, content: string | null) => ({
  type: 'compaction',
  content,
  encrypted_content: null,
  signature: signSummary(textOf(summary)),
});

const toolId = ({ exchange }: MessagesAnswer, index: number) => exchange.id('toolu_', index + 1);

function blockOf(answer: MessagesAnswer, part: ReplyPart, index: number) {
  const text = textOf(part);
  switch (part.kind) {
    case 'thinking':
      return { type: 'thinking', thinking: answer.showsThinking ? text : '', signature: part.signature };
    case 'tool-call':
      return { ...openedCall(answer, part, index), input: JSON.parse(text) };
    default:
      return { type: 'text', text, citations: [] };
  }
}

function openedBlock(answer: MessagesAnswer, part: ReplyPart, index: number) {
  if (part.kind === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  if (part.kind !== 'tool-call') return { type: 'text', text: '', citations: [] };
  return openedCall(answer, part, index);
}

type CallPart = Extract<ReplyPart, { kind: 'tool-call' }>;

const openedCall = (answer: MessagesAnswer, { name }: CallPart, index: number) => ({
  type: 'tool_use',
  id: toolId(answer, index),
  name,
  input: {},
  caller: { type: 'direct' },
});

const event = (type: string, fields: object = {}, tokens = 0): SimulatorEvent =>
  namedEvent(type, { type, ...fields }, tokens);

export function* writeMessagesEvents(answer: MessagesAnswer): Iterable<SimulatorEvent> {
  const { exchange, reply } = answer;
  const opening = exchange.reportsUsage
    ? { usage: fullUsage(reply.usage, reply.usage.output > 0 ? 1 : 0) }
    : {};
  yield event('message_start', {
    message: {
      ...messageHead(answer),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      ...opening,
    },
  });
  for (const [index, { opened, deltas }] of streamedBlocks(answer).entries()) {
    yield event('content_block_start', { index, content_block: opened });
    if (index === 0) yield event('ping');
    for (const { delta, tokens } of deltas) yield event('content_block_delta', { index, delta }, tokens);
    yield event('content_block_stop', { index });
  }
  const closing = {
    ...inputUsage(reply.usage),
    output_tokens: reply.usage.output,
    ...thinkingDetail(reply.usage),
    ...iterationsOf(answer),
  };
  yield event('message_delta', {
    delta: stopFields(answer),
    ...managed(answer),
    ...(exchange.reportsUsage && { usage: closing }),
  });
  yield event('message_stop');
}

type StreamedBlock = { opened: object; deltas: Delta[] };

function streamedBlocks(answer: MessagesAnswer): StreamedBlock[] {
  const { summary } = answer.reply;
  const blocks = choiceOf(answer).parts.map((part, index) => ({
    opened: openedBlock(answer, part, index),
    deltas: deltasOf(part, answer.showsThinking),
  }));
  return summary ? [streamedSummary(summary), ...blocks] : blocks;
}

/** The vendor sends a whole summary in one delta. */
function streamedSummary(summary: SimulatorSummary): StreamedBlock {
  const delta = { type: 'compaction_delta', content: textOf(summary), encrypted_content: null };
  return {
    opened: compactionBlock(summary, null),
    deltas: [{ delta, tokens: summary.usage.output }],
  };
}

type Delta = { delta: object; tokens: number };

function deltasOf(part: ReplyPart, showsThinking: boolean): Delta[] {
  const deltas = (type: string, field: string): Delta[] =>
    part.pieces.map(({ text, tokens }) => ({ delta: { type, [field]: text }, tokens }));
  switch (part.kind) {
    case 'thinking':
      return [
        ...(showsThinking ? deltas('thinking_delta', 'thinking') : []),
        { delta: { type: 'signature_delta', signature: part.signature }, tokens: 0 },
      ];
    case 'tool-call':
      return [
        { delta: { type: 'input_json_delta', partial_json: '' }, tokens: 0 },
        ...deltas('input_json_delta', 'partial_json'),
      ];
    default:
      return deltas('text_delta', 'text');
  }
}
