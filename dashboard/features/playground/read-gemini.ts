import { randomKey } from '../../app/random-key.ts';
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

/** The beginning of the ids that this page gives to calls without one. */
export const MADE_UP = 'unnamed-';

/**
 * Returns the id of a call without one. `group`: a text that no other answer of the conversation has, since
 * other dialects refuse an id that two calls have.
 */
export const madeUpId = (group: string | number, index: number): string => `${MADE_UP}${group}-${index}`;

/** Reads answers of Gemini's API, whole or as a stream. */
export function readGemini(): AnswerReader {
  const answerKey = randomKey();
  let parts: readonly Part[] = [];
  let stopReason: string | null = null;
  const addChunk = (data: unknown): AssistantTurn => {
    const { candidates, promptFeedback } = data as Chunk;
    const candidate = candidates?.[0];
    parts = [...parts, ...(candidate?.content?.parts ?? []).filter((part) => !isEmpty(part))];
    stopReason = candidate?.finishReason ?? promptFeedback?.blockReason ?? stopReason;
    return turnOf(parts, answerKey);
  };
  return { readEvent: addChunk, readWhole: addChunk, stopReason: () => stopReason };
}

/** The last part of a stream has no text, unless it has a signature. */
const isEmpty = (part: Part): boolean => part.text === '' && Object.keys(part).length === 1;

function turnOf(parts: readonly Part[], answerKey: string): AssistantTurn {
  const textOf = (isThought: boolean): string =>
    parts.map(({ text = '', thought = false }) => (thought === isThought ? text : '')).join('');
  return {
    role: 'assistant',
    text: textOf(false),
    thinking: textOf(true),
    calls: parts.flatMap((part, index) => callIn(part, madeUpId(answerKey, index))),
    own: { dialect: 'gemini', content: parts },
  };
}

/** Returns the call that a part has, if any. */
const callIn = ({ functionCall }: Part, newId: string): ToolCall[] =>
  functionCall
    ? [
        {
          id: functionCall.id ?? newId,
          name: functionCall.name ?? '',
          input: JSON.stringify(functionCall.args ?? {}),
        },
      ]
    : [];
