import type { Turn } from './conversation.ts';
import { type Json, listOf, textOf } from './request-json.ts';
import { assistantTurn, type RequestReader, resultTurn, userTurn } from './request-reader.ts';

/** Reads requests of the messages API. */
export const messagesRequest: RequestReader = {
  turns: ({ messages }) => listOf(messages).flatMap(turnsOfMessage),
  settings: ({ system, max_tokens, stop_sequences, output_config }) => ({
    system: textOf(system),
    maxTokens: max_tokens,
    stop: listOf(stop_sequences).join('\n'),
    effort: output_config?.effort,
    schema: output_config?.format?.schema,
  }),
  members: ['messages', 'system', 'max_tokens', 'stop_sequences', 'output_config', 'thinking'],
  // The playground asks for thinking by an effort.
  partsWithoutField: ({ thinking, output_config }) =>
    (thinking?.type ?? 'disabled') === 'disabled' || output_config?.effort ? [] : ['thinking'],
};

function turnsOfMessage({ role, content }: Json): Turn[] {
  const ofType = (wanted: string): Json[] => listOf(content).filter(({ type }) => type === wanted);
  if (role === 'assistant') {
    const calls = ofType('tool_use').map(({ id, name, input }) => ({
      id,
      name,
      input: JSON.stringify(input ?? {}),
    }));
    return [assistantTurn(textOf(content), calls)];
  }
  const results = ofType('tool_result');
  if (results.length === 0) return [userTurn(content)];
  return results.map((result) => resultTurn(result.tool_use_id, result.content));
}
