import type { AnswerReader } from './answer-reader.ts';
import type { AssistantTurn } from './conversation.ts';

type Call = { index?: number; id?: string; function?: { name?: string; arguments?: string } };
type Message = {
  content?: string | null;
  refusal?: string | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  tool_calls?: Call[];
};
type Choice = { delta?: Message; message?: Message; finish_reason?: string | null };
type Chunk = { choices?: Choice[] };

type Growing = { text: string; thinking: string; calls: { id: string; name: string; input: string }[] };

/** Reads answers of the chat completions API, whole or as a stream. */
export function readChat(): AnswerReader {
  const answer: Growing = { text: '', thinking: '', calls: [] };
  let stop: string | null = null;
  const add = (data: unknown): AssistantTurn => {
    const choice = (data as Chunk).choices?.[0];
    const message = choice?.delta ?? choice?.message;
    if (message) grow(answer, message);
    stop = choice?.finish_reason ?? stop;
    return turnOf(answer);
  };
  return { readEvent: add, readWhole: add, stopReason: () => stop };
}

function grow(answer: Growing, message: Message): void {
  answer.text += message.content ?? message.refusal ?? '';
  answer.thinking += message.reasoning_content ?? message.reasoning ?? '';
  for (const [position, call] of (message.tool_calls ?? []).entries()) {
    const index = call.index ?? position;
    const existingCall = answer.calls[index] ?? { id: '', name: '', input: '' };
    answer.calls[index] = {
      id: call.id || existingCall.id,
      name: existingCall.name + (call.function?.name ?? ''),
      input: existingCall.input + (call.function?.arguments ?? ''),
    };
  }
}

const turnOf = ({ text, thinking, calls }: Growing): AssistantTurn => ({
  role: 'assistant',
  text,
  thinking,
  calls: calls.filter(Boolean),
});
