import type { AnswerReader } from './answer-reader.ts';
import type { AssistantTurn, ToolCall } from './conversation.ts';

type Part = {
  text?: string;
  thought?: boolean;
  functionCall?: { id?: string; name?: string; args?: unknown };
};
type Chunk = {
  candidates?: { content?: { parts?: Part[] }; finishReason?: string }[];
  promptFeedback?: { blockReason?: string };
};

/** The beginning of the ids of calls that have none. */
export const MADE_UP = 'unnamed-';

/** Reads answers of Gemini's API, whole or as a stream. */
export function readGemini(): AnswerReader {
  const parts: Part[] = [];
  let stop: string | null = null;
  const add = (data: unknown): AssistantTurn => {
    const { candidates, promptFeedback } = data as Chunk;
    const candidate = candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) if (!isEmpty(part)) parts.push(part);
    stop = candidate?.finishReason ?? promptFeedback?.blockReason ?? stop;
    return turnOf(parts);
  };
  return { readEvent: add, readWhole: add, stopReason: () => stop };
}

/** The last part of a stream has no text, unless it has a signature. */
const isEmpty = (part: Part): boolean => part.text === '' && Object.keys(part).length === 1;

function turnOf(parts: readonly Part[]): AssistantTurn {
  const textOf = (isThought: boolean): string =>
    parts.map(({ text = '', thought = false }) => (thought === isThought ? text : '')).join('');
  const calls = parts.flatMap(({ functionCall }, index): ToolCall[] =>
    functionCall
      ? [
          {
            id: functionCall.id ?? `${MADE_UP}${index}`,
            name: functionCall.name ?? '',
            input: JSON.stringify(functionCall.args ?? {}),
          },
        ]
      : [],
  );
  return {
    role: 'assistant',
    text: textOf(false),
    thinking: textOf(true),
    calls,
    own: { dialect: 'gemini', content: parts.map((part) => ({ ...part })) },
  };
}
