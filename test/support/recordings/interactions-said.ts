import type { Json } from '../call.ts';
import { nothingSaid, type Said, type SaidCall, textInput, valueInput } from './said.ts';

const UNASKED = ['interaction.completed', 'interaction.status_update', 'step.stop'];

type OpenCall = { call: SaidCall | undefined; text: string };

/** Interactions: a stream has events of steps, and a whole answer has the steps. */
export function interactionsSaid(objects: readonly Json[]): Said {
  const said = nothingSaid();
  const calls = new Map<number, OpenCall>();
  for (const event of objects) {
    for (const step of event.steps ?? []) addStep(said, step);
    countIn(said, event);
    if (event.event_type === 'step.start') {
      addStep(said, event.step);
      calls.set(event.index, { call: said.calls.at(-1), text: '' });
    }
    if (event.event_type === 'step.delta') addDelta(said, event, calls);
  }
  return said;
}

function countIn(said: Said, event: Json): void {
  const isLast = UNASKED.includes(event.event_type);
  const reported =
    event.usage ?? (isLast ? event.interaction?.usage : undefined) ?? event.metadata?.total_usage;
  if (reported) said.usage = usageOf(reported);
}

function addStep(said: Said, step: Json): void {
  if (step.type === 'model_output') for (const content of step.content ?? []) addContent(said, content);
  else if (step.type === 'thought') {
    for (const { text } of step.summary ?? []) said.thinking += text;
    if (step.signature) said.tokens.push(step.signature);
  } else if (step.type === 'function_call')
    said.calls.push({ id: step.id, name: step.name, input: valueInput(step.arguments), isFreeform: false });
  else said.opaque.push(step.type);
}

function addContent(said: Said, content: Json): void {
  if (content.type === 'text') said.text += content.text;
  else said.opaque.push('model_output');
}

function addDelta(said: Said, { index, delta }: Json, calls: Map<number, OpenCall>): void {
  if (delta.type === 'thought_summary') said.thinking += delta.content.text;
  else if (delta.type === 'thought_signature') said.tokens.push(delta.signature);
  else if (delta.type === 'arguments_delta') {
    const open = calls.get(index)!;
    open.text += delta.arguments;
    open.call!.input = textInput(open.text);
  } else if (delta.type === 'text' || delta.type === 'image') addContent(said, delta);
}

/** Input of the vendor's own tools is counted separately from the prompt. */
const usageOf = ({ total_input_tokens, total_tool_use_tokens = 0, total_tokens }: Json) => ({
  input: total_input_tokens + total_tool_use_tokens,
  output: total_tokens - total_input_tokens - total_tool_use_tokens,
});
