import type { Json } from '../call.ts';
import {
  type AnswerContent,
  type ContentCall,
  emptyContent,
  textInput,
  valueInput,
} from './answer-content.ts';

const UNASKED = ['interaction.completed', 'interaction.status_update', 'step.stop'];

type OpenCall = { call: ContentCall | undefined; text: string };

/** Reads Interactions: events of steps, or the steps of a whole answer. */
export function readInteractionsContent(objects: readonly Json[]): AnswerContent {
  const answer = emptyContent();
  const calls = new Map<number, OpenCall>();
  for (const event of objects) {
    for (const step of event.steps ?? []) addStep(answer, step);
    countIn(answer, event);
    if (event.event_type === 'step.start') {
      addStep(answer, event.step);
      calls.set(event.index, { call: answer.calls.at(-1), text: '' });
    }
    if (event.event_type === 'step.delta') addDelta(answer, event, calls);
  }
  return answer;
}

function countIn(answer: AnswerContent, event: Json): void {
  const isLast = UNASKED.includes(event.event_type);
  const reported =
    event.usage ?? (isLast ? event.interaction?.usage : undefined) ?? event.metadata?.total_usage;
  if (reported) answer.usage = usageOf(reported);
}

function addStep(answer: AnswerContent, step: Json): void {
  if (step.type === 'model_output') for (const content of step.content ?? []) addContent(answer, content);
  else if (step.type === 'thought') {
    for (const { text } of step.summary ?? []) answer.thinking += text;
    if (step.signature) answer.tokens.push(step.signature);
  } else if (step.type === 'function_call')
    answer.calls.push({ id: step.id, name: step.name, input: valueInput(step.arguments), isFreeform: false });
  else answer.opaque.push(step.type);
}

function addContent(answer: AnswerContent, content: Json): void {
  if (content.type === 'text') answer.text += content.text;
  else answer.opaque.push('model_output');
}

function addDelta(answer: AnswerContent, { index, delta }: Json, calls: Map<number, OpenCall>): void {
  if (delta.type === 'thought_summary') answer.thinking += delta.content.text;
  else if (delta.type === 'thought_signature') answer.tokens.push(delta.signature);
  else if (delta.type === 'arguments_delta') {
    const open = calls.get(index)!;
    open.text += delta.arguments;
    open.call!.input = textInput(open.text);
  } else if (delta.type === 'text' || delta.type === 'image') addContent(answer, delta);
}

/** Input of the vendor's own tools is counted separately from the prompt. */
const usageOf = ({ total_input_tokens, total_tool_use_tokens = 0, total_tokens }: Json) => ({
  input: total_input_tokens + total_tool_use_tokens,
  output: total_tokens - total_input_tokens - total_tool_use_tokens,
});
