import type { AssistantTurn } from './conversation.ts';

/** Reads one answer. Each call returns the whole answer so far. */
export type AnswerReader = {
  event(data: unknown): AssistantTurn;
  whole(answer: unknown): AssistantTurn;
  /** Why the answer ended, in the words of its dialect. Null: it has not ended. */
  stopReason(): string | null;
};
