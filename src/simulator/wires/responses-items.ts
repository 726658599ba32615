import {
  type ReplyPart,
  type SimulatorChoice,
  type SimulatorReply,
  type SimulatorSummary,
  textOf,
} from '../model/reply.ts';
import type { SimulatorExchange } from '../model/wire.ts';
import { chatLogprobs } from './openai-logprobs.ts';
import { sealSummary } from './seal-summary.ts';

/** The extras that the caller asked to see: summaries, encrypted thinking and log probabilities. */
export type ItemOptions = { summary: boolean; encrypted: boolean; topLogprobs?: number | undefined };

export type OutputItem = Record<string, unknown> & { id: string };

/** An output item at its start and at its end. `part` is undefined for a compaction. */
export type ItemForm = { part: ReplyPart | undefined; opened: OutputItem; done: OutputItem };

type Context = { exchange: SimulatorExchange; options: ItemOptions; status: string };

/** Builds the items of an answer: its compaction, if it has one, and the items of its choice. */
export function outputItems(
  { choices, summary }: SimulatorReply,
  exchange: SimulatorExchange,
  options: ItemOptions,
): ItemForm[] {
  const items = summary?.isAlone ? [] : choiceItems(choices[0]!, exchange, options);
  return summary ? [compactionItem(summary, exchange), ...items] : items;
}

function compactionItem(summary: SimulatorSummary, exchange: SimulatorExchange): ItemForm {
  const head = { id: exchange.id('cmp_'), type: 'compaction' };
  return {
    part: undefined,
    opened: { ...head, encrypted_content: '' },
    done: { ...head, encrypted_content: sealSummary(textOf(summary)) },
  };
}

/** Builds the items of a choice. A choice without parts is an empty message. */
function choiceItems(choice: SimulatorChoice, exchange: SimulatorExchange, options: ItemOptions): ItemForm[] {
  const parts: ReplyPart[] = choice.parts.length > 0 ? choice.parts : [{ kind: 'text', pieces: [] }];
  return parts.map((part, index) => {
    const last = index === parts.length - 1;
    const status = last && choice.stop === 'length' ? 'incomplete' : 'completed';
    return itemOf(part, index, { exchange, options, status });
  });
}

function itemOf(part: ReplyPart, index: number, context: Context): ItemForm {
  if (part.kind === 'thinking') return reasoningItem(part, index, context);
  if (part.kind === 'tool-call') return callItem(part, index, context);
  return messageItem(part, index, context);
}

function messageItem(part: ReplyPart, index: number, context: Context): ItemForm {
  const id = context.exchange.id('msg_', index + 1);
  const head = { id, type: 'message', role: 'assistant' };
  return {
    part,
    opened: { ...head, status: 'in_progress', content: [] },
    done: { ...head, status: context.status, content: [contentOf(part, context.options)] },
  };
}

export function contentOf(part: ReplyPart, { topLogprobs }: ItemOptions, pieces = part.pieces) {
  const text = textOf({ pieces });
  if (part.kind === 'refusal') return { type: 'refusal', refusal: text };
  return {
    type: 'output_text',
    annotations: [],
    logprobs: topLogprobs === undefined ? [] : chatLogprobs(pieces, topLogprobs),
    text,
  };
}

function reasoningItem(part: ReplyPart & { kind: 'thinking' }, index: number, context: Context): ItemForm {
  const { exchange, options } = context;
  const head = { id: exchange.id('rs_', index + 1), type: 'reasoning' };
  const hidden = options.encrypted ? { encrypted_content: part.signature } : {};
  const summary = options.summary ? [{ type: 'summary_text', text: textOf(part) }] : [];
  return { part, opened: { ...head, ...hidden, summary: [] }, done: { ...head, ...hidden, summary } };
}

const CALL_FORMS = {
  freeform: { type: 'custom_tool_call', idPrefix: 'ctc_', input: 'input' },
  function: { type: 'function_call', idPrefix: 'fc_', input: 'arguments' },
} as const;

function callItem(part: ReplyPart & { kind: 'tool-call' }, index: number, context: Context): ItemForm {
  const { exchange, status } = context;
  const { type, idPrefix, input } = CALL_FORMS[part.freeform ? 'freeform' : 'function'];
  const head = {
    id: exchange.id(idPrefix, index + 1),
    type,
    call_id: exchange.id('call_', index + 1),
    name: part.name,
    ...(part.namespace !== undefined && { namespace: part.namespace }),
  };
  return {
    part,
    opened: { ...head, [input]: '', status: 'in_progress' },
    done: { ...head, [input]: textOf(part), status },
  };
}
