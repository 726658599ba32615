import type { Json } from '../call.ts';
import { type AnswerContent, type ContentCall, emptyContent, textInput } from './answer-content.ts';

/** Reads chat completions: chunks, or one completion. */
export function readChatContent(objects: readonly Json[]): AnswerContent {
  const answer = emptyContent();
  const calls = new Map<string, ContentCall>();
  for (const { choices = [], x_groq, ...object } of objects) {
    const usage = object.usage ?? x_groq?.usage ?? choices[0]?.usage;
    if (usage) answer.usage = usageOf(usage);
    const message = choices[0]?.delta ?? choices[0]?.message ?? {};
    answer.text += textOf(message.content);
    answer.refusal += message.refusal ?? '';
    answer.thinking += message.reasoning_content ?? message.reasoning ?? thoughtsOf(message.content);
    for (const { data } of message.reasoning_details ?? []) if (data) answer.tokens.push(data);
    if (message.function_call) growCall(calls, { function: message.function_call }, '0');
    for (const [at, call] of (message.tool_calls ?? []).entries())
      growCall(calls, call, `${call.index ?? at}`);
  }
  answer.calls = [...calls.values()].map((call) => ({
    ...call,
    input: call.isFreeform ? call.input : textInput(call.input.text),
  }));
  return answer;
}

const textOf = (content: Json): string =>
  Array.isArray(content) ? content.map(({ text = '' }) => text).join('') : (content ?? '');

const thoughtsOf = (content: Json): string =>
  Array.isArray(content)
    ? content.flatMap(({ thinking = [] }) => thinking.map(({ text }: Json) => text)).join('')
    : '';

function growCall(
  calls: Map<string, ContentCall>,
  { id, function: callee, custom }: Json,
  key: string,
): void {
  const known = calls.get(key) ?? {
    ...(id && { id }),
    name: callee?.name ?? custom?.name,
    input: { text: '', isExact: true },
    isFreeform: custom !== undefined,
  };
  known.input.text += callee?.arguments ?? custom?.input ?? '';
  calls.set(key, known);
}

/** The total includes counts that hosts omit from the completion's count. */
const usageOf = ({ prompt_tokens, total_tokens }: Json) => ({
  input: prompt_tokens,
  output: total_tokens - prompt_tokens,
});
