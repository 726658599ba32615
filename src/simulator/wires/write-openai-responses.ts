import { type ReplyPart, type SimulatorReply, textOf } from '../model/reply.ts';
import { namedEvent, type SimulatorEvent } from '../model/stream-event.ts';
import type { SimulatorExchange } from '../model/wire.ts';
import { responsesUsage, wholeUsage } from './openai-usage.ts';
import { contentOf, type ItemForm, type ItemOptions, outputItems } from './responses-items.ts';
import { responseObject, statusOf } from './responses-object.ts';

export type ResponsesAnswer = { exchange: SimulatorExchange; reply: SimulatorReply; options: ItemOptions };

/** An event of the stream before it is numbered. */
type Step = { type: string; fields: object; tokens?: number };

const choiceOf = ({ reply }: ResponsesAnswer) => reply.choices[0]!;

const itemsOf = ({ reply, exchange, options }: ResponsesAnswer) => outputItems(reply, exchange, options);

function finished(answer: ResponsesAnswer) {
  const state = {
    status: statusOf(choiceOf(answer).stop),
    output: itemsOf(answer).map(({ done }) => done),
    usage: responsesUsage(wholeUsage(answer.reply)),
  };
  return responseObject({ exchange: answer.exchange, state });
}

export const writeResponsesBody = (answer: ResponsesAnswer): unknown => finished(answer);

/** Builds the answer of the endpoint for compactions: what the user wrote, and the compaction. */
export function writeCompactedBody(answer: ResponsesAnswer): unknown {
  const { id, created_at, output, usage } = finished(answer);
  const object = 'response.compaction';
  return { id, object, created_at, output: [...userMessages(answer.exchange), ...output], usage };
}

const userMessages = ({ body, id }: SimulatorExchange): unknown[] => {
  const input = body.at('input');
  if (input.isText()) return [];
  return input
    .items()
    .filter((item) => item.at('role').value === 'user')
    .map((item, index) => {
      const { value: content } = item.at('content');
      const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;
      const head = { id: id('msg_', index + 1), type: 'message', status: 'completed', role: 'user' };
      return { ...head, content: parts };
    });
};

export function* writeResponsesEvents(answer: ResponsesAnswer): Iterable<SimulatorEvent> {
  let number = 0;
  for (const { type, fields, tokens } of steps(answer)) {
    yield namedEvent(type, { type, ...fields, sequence_number: number }, tokens);
    number += 1;
  }
}

function* steps(answer: ResponsesAnswer): Iterable<Step> {
  const started = responseObject({
    exchange: answer.exchange,
    state: { status: 'in_progress', output: [], usage: null },
  });
  yield { type: 'response.created', fields: { response: started } };
  yield { type: 'response.in_progress', fields: { response: started } };
  for (const [index, form] of itemsOf(answer).entries()) yield* itemSteps(form, index, answer.options);
  yield { type: `response.${statusOf(choiceOf(answer).stop)}`, fields: { response: finished(answer) } };
}

function* itemSteps(form: ItemForm, index: number, options: ItemOptions): Iterable<Step> {
  const place = { item_id: form.opened.id, output_index: index };
  yield { type: 'response.output_item.added', fields: { output_index: index, item: form.opened } };
  if (!form.part) yield { type: 'response.compaction.compacting', fields: place };
  else if (form.part.kind === 'tool-call') yield* callSteps(form.part, place);
  else if (form.part.kind !== 'thinking') yield* contentSteps(form.part, place, options);
  else if (options.summary) yield* summarySteps(form.part, place);
  yield { type: 'response.output_item.done', fields: { output_index: index, item: form.done } };
}

function* callSteps(part: ReplyPart & { kind: 'tool-call' }, place: object): Iterable<Step> {
  const [name, field] = part.freeform
    ? ['response.custom_tool_call_input', 'input']
    : ['response.function_call_arguments', 'arguments'];
  for (const { text, tokens } of part.pieces)
    yield { type: `${name}.delta`, fields: { ...place, delta: text }, tokens };
  const named = part.freeform ? {} : { name: part.name };
  yield { type: `${name}.done`, fields: { ...place, ...named, [field!]: textOf(part) } };
}

function* contentSteps(part: ReplyPart, place: object, options: ItemOptions): Iterable<Step> {
  const refused = part.kind === 'refusal';
  const name = refused ? 'response.refusal' : 'response.output_text';
  const at = { ...place, content_index: 0 };
  const withLogprobs = (pieces: ReplyPart['pieces']) => {
    const content = contentOf(part, options, pieces);
    return 'logprobs' in content ? { logprobs: content.logprobs } : {};
  };
  yield { type: 'response.content_part.added', fields: { ...at, part: contentOf(part, options, []) } };
  for (const piece of part.pieces) {
    const fields = { ...at, delta: piece.text, ...withLogprobs([piece]) };
    yield { type: `${name}.delta`, fields, tokens: piece.tokens };
  }
  const whole = { [refused ? 'refusal' : 'text']: textOf(part), ...withLogprobs(part.pieces) };
  yield { type: `${name}.done`, fields: { ...at, ...whole } };
  yield { type: 'response.content_part.done', fields: { ...at, part: contentOf(part, options) } };
}

function* summarySteps(part: ReplyPart, place: object): Iterable<Step> {
  const at = { ...place, summary_index: 0 };
  const name = 'response.reasoning_summary';
  yield { type: `${name}_part.added`, fields: { ...at, part: { type: 'summary_text', text: '' } } };
  for (const { text, tokens } of part.pieces) {
    yield { type: `${name}_text.delta`, fields: { ...at, delta: text }, tokens };
  }
  yield { type: `${name}_text.done`, fields: { ...at, text: textOf(part) } };
  yield { type: `${name}_part.done`, fields: { ...at, part: { type: 'summary_text', text: textOf(part) } } };
}
