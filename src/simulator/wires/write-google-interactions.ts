import {
  type ReplyPart,
  type SimulatorChoice,
  type SimulatorReply,
  type SimulatorStop,
  type SimulatorUsage,
  textOf,
} from '../model/reply.ts';
import { namedEvent, type SimulatorEvent } from '../model/stream-event.ts';
import type { SimulatorExchange } from '../model/wire.ts';

export type InteractionAnswer = {
  exchange: SimulatorExchange;
  reply: SimulatorReply;
  showsSummaries: boolean;
};

const STATUSES: Record<SimulatorStop, string> = {
  end: 'completed',
  length: 'incomplete',
  'stop-sequence': 'completed',
  'tool-calls': 'requires_action',
  refusal: 'incomplete',
};

const BLOCKED = { errors: [{ code: 'safety', message: 'The simulator was asked to refuse.' }] };

/** Converts usage. On this wire, output tokens exclude thoughts, and input tokens include cached tokens. */
const usageOf = ({ input, cacheRead, output, thinking }: SimulatorUsage) => ({
  total_tokens: input + output,
  total_input_tokens: input,
  input_tokens_by_modality: [{ modality: 'text', tokens: input }],
  total_cached_tokens: cacheRead,
  total_output_tokens: output - thinking,
  total_tool_use_tokens: 0,
  total_thought_tokens: thinking,
});

function envelope({ exchange }: InteractionAnswer, status: string) {
  const created = new Date(exchange.createdSeconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  const id = exchange.id('v1_');
  return { id, object: 'interaction', model: exchange.model, status, created, updated: created };
}

/** Returns the only choice of an answer. */
const choiceOf = ({ reply }: InteractionAnswer): SimulatorChoice => reply.choices[0]!;

const partsOf = (choice: SimulatorChoice): ReplyPart[] =>
  choice.parts.filter(({ kind }) => kind !== 'refusal');

function ending(answer: InteractionAnswer) {
  const { stop } = choiceOf(answer);
  return {
    ...envelope(answer, STATUSES[stop]),
    ...(stop === 'refusal' && BLOCKED),
    ...(answer.exchange.reportsUsage && { usage: usageOf(answer.reply.usage) }),
  };
}

const idOfCall = ({ exchange }: InteractionAnswer, index: number): string => exchange.id('call-', index);

function stepOf(part: ReplyPart, index: number, answer: InteractionAnswer) {
  const text = textOf(part);
  if (part.kind === 'tool-call') {
    const id = idOfCall(answer, index);
    return { type: 'function_call', id, name: part.name, arguments: JSON.parse(text) };
  }
  if (part.kind === 'thinking') {
    const summary = answer.showsSummaries ? { summary: [{ type: 'text', text }] } : {};
    return { type: 'thought', signature: part.signature, ...summary };
  }
  return { type: 'model_output', content: [{ type: 'text', text }] };
}

export const writeInteraction = (answer: InteractionAnswer): unknown => ({
  ...ending(answer),
  steps: partsOf(choiceOf(answer)).map((part, index) => stepOf(part, index, answer)),
});

type Delta = { delta: object; tokens: number };

/** Returns the beginning of a step, and what its deltas add. */
function pieces(
  part: ReplyPart,
  index: number,
  answer: InteractionAnswer,
): { step: object; deltas: Delta[] } {
  if (part.kind === 'tool-call') {
    const step = { type: 'function_call', id: idOfCall(answer, index), name: part.name, arguments: {} };
    const deltas = part.pieces.map(({ text, tokens }) => ({
      delta: { type: 'arguments_delta', arguments: text },
      tokens,
    }));
    return { step, deltas };
  }
  if (part.kind === 'thinking') {
    const summary = answer.showsSummaries ? part.pieces : [];
    const deltas = summary.map(({ text }) => ({
      delta: { type: 'thought_summary', content: { type: 'text', text } },
      tokens: 0,
    }));
    const signature = { delta: { type: 'thought_signature', signature: part.signature }, tokens: 0 };
    return { step: { type: 'thought' }, deltas: [...deltas, signature] };
  }
  const deltas = part.pieces.map(({ text, tokens }) => ({ delta: { type: 'text', text }, tokens }));
  return { step: { type: 'model_output' }, deltas };
}

export function* writeInteractionEvents(answer: InteractionAnswer): Iterable<SimulatorEvent> {
  let eventId = 0;
  const event = (type: string, members: object, tokens = 0) =>
    namedEvent(type, { ...members, event_type: type, event_id: `event_${++eventId}` }, tokens);
  const created = envelope(answer, 'in_progress');
  yield event('interaction.created', { interaction: created });
  yield event('interaction.status_update', { interaction_id: created.id, status: 'in_progress' });
  for (const [index, part] of partsOf(choiceOf(answer)).entries()) {
    const { step, deltas } = pieces(part, index, answer);
    yield event('step.start', { index, step });
    for (const { delta, tokens } of deltas) yield event('step.delta', { index, delta }, tokens);
    yield event('step.stop', { index });
  }
  yield event('interaction.completed', { interaction: ending(answer) });
  yield { name: 'done', data: '[DONE]', tokens: 0 };
}
