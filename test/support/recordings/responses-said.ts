import type { Json } from '../call.ts';
import { nothingSaid, type Said, textInput } from './said.ts';

const FINISHED = /^response\.(completed|incomplete)$/;
const TEXT_DELTA = 'response.output_text.delta';

/** Reads Responses: typed events up to the first end, or one response. */
export function responsesSaid(objects: readonly Json[]): Said {
  const said = nothingSaid();
  const end = objects.findIndex(({ type }) => FINISHED.test(type));
  const response = end < 0 ? objects[0] : objects[end].response;
  const events = objects.slice(0, end + 1);
  const streamed = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
  for (const item of end < 0 ? response.output : streamed) readItem(said, item);
  // One vendor's last event differs from its pieces. Clients have already shown the pieces.
  said.text = events.map(({ type, delta }) => (type === TEXT_DELTA ? delta : '')).join('') || said.text;
  if (response.usage) said.usage = usageOf(response.usage);
  return said;
}

/** Reasoning is part of the output, except for a host that counts it separately. */
function usageOf({ input_tokens: input, output_tokens: output, output_tokens_details }: Json) {
  const thinking = output_tokens_details?.reasoning_tokens ?? 0;
  return { input, output: thinking > output ? output + thinking : output };
}

function readItem(said: Said, item: Json): void {
  if (item.type === 'message') {
    for (const { text, refusal } of item.content) {
      said.text += text ?? '';
      said.refusal += refusal ?? '';
    }
  } else if (item.type === 'reasoning') {
    const summary = (item.summary ?? []).map(({ text }: Json) => text).join('\n\n');
    said.thinking += summary || (item.content ?? []).map(({ text }: Json) => text).join('');
    if (item.encrypted_content) said.tokens.push(item.encrypted_content);
  } else if (item.type === 'function_call') {
    said.calls.push({
      id: item.call_id,
      name: item.name,
      input: textInput(item.arguments),
      isFreeform: false,
    });
  } else if (item.type === 'custom_tool_call') {
    said.calls.push({
      id: item.call_id,
      name: item.name,
      input: { text: item.input, isExact: true },
      isFreeform: true,
    });
  } else said.opaque.push(item.type);
}
