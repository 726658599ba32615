import type { AnswerReader } from './answer-reader.ts';
import type { AssistantTurn, ToolCall } from './conversation.ts';

type CallPart = { index?: number; id?: string; function?: { name?: string; arguments?: string } };
type Message = {
  content?: string | null;
  refusal?: string | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  tool_calls?: CallPart[] | null;
};
type Choice = { delta?: Message; message?: Message; finish_reason?: string | null };
type Chunk = { choices?: Choice[] };

/** The parts of an answer that have arrived. A call that has not begun is a hole in the list. */
type PartialAnswer = { text: string; thinking: string; calls: readonly ToolCall[] };

/** Reads answers of the chat completions API, whole or as a stream. */
export function readChat(): AnswerReader {
  let answer: PartialAnswer = { text: '', thinking: '', calls: [] };
  let stopReason: string | null = null;
  const addChunk = (data: unknown): AssistantTurn => {
    const choice = (data as Chunk).choices?.[0];
    const message = choice?.delta ?? choice?.message;
    if (message) answer = withMessage(answer, message);
    stopReason = choice?.finish_reason ?? stopReason;
    return { role: 'assistant', ...answer, calls: answer.calls.filter(Boolean) };
  };
  return { readEvent: addChunk, readWhole: addChunk, stopReason: () => stopReason };
}

const withMessage = ({ text, thinking, calls }: PartialAnswer, message: Message): PartialAnswer => ({
  text: text + (message.content ?? message.refusal ?? ''),
  thinking: thinking + (message.reasoning_content ?? message.reasoning ?? ''),
  calls: withCallParts(calls, message.tool_calls ?? []),
});

/** A part names its call by an index. A whole answer has no indexes, but its calls in their order. */
function withCallParts(calls: readonly ToolCall[], parts: readonly CallPart[]): readonly ToolCall[] {
  const grown = calls.slice();
  for (const [position, { index = position, id, function: part }] of parts.entries()) {
    const call = grown[index] ?? { id: '', name: '', input: '' };
    grown[index] = {
      id: id || call.id,
      name: call.name + (part?.name ?? ''),
      input: call.input + (part?.arguments ?? ''),
    };
  }
  return grown;
}
