import type { Turn } from './conversation.ts';
import { isSystem, type Json, listOf, systemOf, textOf } from './request-json.ts';
import { assistantTurn, type RequestReader, resultTurn, userTurn } from './request-reader.ts';

/** Reads requests of the chat completions API. */
export const chatRequest: RequestReader = {
  turns: ({ messages }) => listOf(messages).flatMap(turnsOfMessage),
  settings: ({ messages, max_tokens, max_completion_tokens, stop, reasoning_effort, response_format }) => ({
    system: systemOf(listOf(messages)),
    maxTokens: max_completion_tokens ?? max_tokens,
    stop: [stop ?? []].flat().join('\n'),
    effort: reasoning_effort,
    schema: response_format?.json_schema?.schema,
  }),
  // biome-ignore format: a line for each group
  members: [
    'messages', 'max_tokens', 'max_completion_tokens', 'stop',
    'reasoning_effort', 'response_format', 'stream_options',
  ],
};

function turnsOfMessage(message: Json): Turn[] {
  const { role, content, tool_calls, tool_call_id } = message;
  if (isSystem(message)) return [];
  if (role === 'tool') return [resultTurn(tool_call_id, content)];
  if (role !== 'assistant') return [userTurn(content)];
  const calls = listOf(tool_calls).map((call) => ({
    id: call.id,
    name: call.function?.name ?? '',
    input: call.function?.arguments ?? '{}',
  }));
  return [assistantTurn(textOf(content), calls)];
}
