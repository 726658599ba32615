import type { AssistantTurn } from './conversation.ts';

/** Reads one answer. Each call returns the whole answer so far. */
export type AnswerReader = {
  readEvent(data: unknown): AssistantTurn;
  readWhole(answer: unknown): AssistantTurn;
  /**
   * Returns the reason of the answer's end, in the words of its dialect. `null` means that it has not ended.
   */
  stopReason(): string | null;
};
