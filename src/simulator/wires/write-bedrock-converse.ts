import {
  type ReplyPart,
  type SimulatorReply,
  type SimulatorStop,
  type SimulatorUsage,
  textOf,
} from '../model/reply.ts';
import { namedEvent, type SimulatorEvent } from '../model/stream-event.ts';
import type { SimulatorExchange } from '../model/wire.ts';

export type ConverseAnswer = { exchange: SimulatorExchange; reply: SimulatorReply };

const STOP_REASONS: Record<SimulatorStop, string> = {
  end: 'end_turn',
  length: 'max_tokens',
  'stop-sequence': 'stop_sequence',
  'tool-calls': 'tool_use',
  refusal: 'content_filtered',
};

/** The reported latency is fixed, so that equal requests have equal answers. */
const METRICS = { latencyMs: 1 };

/** Converts usage. On this wire, input excludes cached tokens, and the total includes them. */
const usageOf = ({ input, cacheRead, cacheWrite, cacheLifetime, output }: SimulatorUsage) => ({
  inputTokens: input - cacheRead - cacheWrite,
  outputTokens: output,
  totalTokens: input + output,
  cacheReadInputTokens: cacheRead,
  cacheWriteInputTokens: cacheWrite,
  ...(cacheWrite > 0 && { cacheDetails: [{ inputTokens: cacheWrite, ttl: cacheLifetime }] }),
});

const choiceOf = ({ reply }: ConverseAnswer) => reply.choices[0]!;

const toolId = ({ exchange }: ConverseAnswer, index: number) => exchange.id('tooluse_', index + 1);

export function writeConverseBody(answer: ConverseAnswer): unknown {
  const { exchange, reply } = answer;
  const content = choiceOf(answer).parts.map((part, index) => blockOf(answer, part, index));
  return {
    metrics: METRICS,
    output: { message: { content, role: 'assistant' } },
    stopReason: STOP_REASONS[choiceOf(answer).stop],
    ...(exchange.reportsUsage && { usage: usageOf(reply.usage) }),
  };
}

function blockOf(answer: ConverseAnswer, part: ReplyPart, index: number) {
  const text = textOf(part);
  switch (part.kind) {
    case 'thinking':
      return { reasoningContent: { reasoningText: { text, signature: part.signature } } };
    case 'tool-call':
      return { toolUse: { toolUseId: toolId(answer, index), name: part.name, input: JSON.parse(text) } };
    default:
      return { text };
  }
}

export function* writeConverseEvents(answer: ConverseAnswer): Iterable<SimulatorEvent> {
  const { exchange, reply } = answer;
  yield namedEvent('messageStart', { role: 'assistant' });
  for (const [index, part] of choiceOf(answer).parts.entries()) {
    const place = { contentBlockIndex: index };
    if (part.kind === 'tool-call') {
      const toolUse = { toolUseId: toolId(answer, index), name: part.name };
      yield namedEvent('contentBlockStart', { ...place, start: { toolUse } });
    }
    for (const { delta, tokens } of deltasOf(part)) {
      yield namedEvent('contentBlockDelta', { ...place, delta }, tokens);
    }
    yield namedEvent('contentBlockStop', place);
  }
  yield namedEvent('messageStop', { stopReason: STOP_REASONS[choiceOf(answer).stop] });
  const usage = exchange.reportsUsage ? { usage: usageOf(reply.usage) } : {};
  yield namedEvent('metadata', { metrics: METRICS, ...usage });
}

function deltasOf(part: ReplyPart) {
  switch (part.kind) {
    case 'thinking':
      return [
        ...part.pieces.map(({ text, tokens }) => ({ delta: { reasoningContent: { text } }, tokens })),
        { delta: { reasoningContent: { signature: part.signature } }, tokens: 0 },
      ];
    case 'tool-call':
      return part.pieces.map(({ text, tokens }) => ({ delta: { toolUse: { input: text } }, tokens }));
    default:
      return part.pieces.map(({ text, tokens }) => ({ delta: { text }, tokens }));
  }
}
