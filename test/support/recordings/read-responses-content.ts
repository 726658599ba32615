import type { Json } from '../call.ts';
import { type AnswerContent, emptyContent, textInput } from './answer-content.ts';

const FINISHED = /^response\.(completed|incomplete)$/;
const TEXT_DELTA = 'response.output_text.delta';

/** Reads Responses: typed events up to the first end, or one response. */
export function readResponsesContent(objects: readonly Json[]): AnswerContent {
  const answer = emptyContent();
  const end = objects.findIndex(({ type }) => FINISHED.test(type));
  const response = end < 0 ? objects[0] : objects[end].response;
  const events = objects.slice(0, end + 1);
  const streamed = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
  for (const item of end < 0 ? response.output : streamed) readItem(answer, item);
  // One vendor's last event differs from its pieces. Clients have already shown the pieces.
  answer.text = events.map(({ type, delta }) => (type === TEXT_DELTA ? delta : '')).join('') || answer.text;
  if (response.usage) answer.usage = usageOf(response.usage);
  return answer;
}

/** Reasoning is part of the output, except for a host that counts it separately. */
function usageOf({ input_tokens: input, output_tokens: output, output_tokens_details }: Json) {
  const thinking = output_tokens_details?.reasoning_tokens ?? 0;
  return { input, output: thinking > output ? output + thinking : output };
}

function readItem(answer: AnswerContent, item: Json): void {
  if (item.type === 'message') {
    for (const { text, refusal } of item.content) {
      answer.text += text ?? '';
      answer.refusal += refusal ?? '';
    }
  } else if (item.type === 'reasoning') {
    const summary = (item.summary ?? []).map(({ text }: Json) => text).join('\n\n');
    answer.thinking += summary || (item.content ?? []).map(({ text }: Json) => text).join('');
    if (item.encrypted_content) answer.tokens.push(item.encrypted_content);
  } else if (item.type === 'function_call') {
    answer.calls.push({
      id: item.call_id,
      name: item.name,
      input: textInput(item.arguments),
      isFreeform: false,
    });
  } else if (item.type === 'custom_tool_call') {
    answer.calls.push({
      id: item.call_id,
      name: item.name,
      input: { text: item.input, isExact: true },
      isFreeform: true,
    });
  } else answer.opaque.push(item.type);
}
