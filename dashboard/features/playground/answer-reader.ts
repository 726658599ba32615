import type { AssistantTurn } from './conversation.ts';

/** Reads one answer. Each call returns the whole answer so far. */
export type AnswerReader = {
  readEvent(data: unknown): AssistantTurn;
  readWhole(answer: unknown): AssistantTurn;
  /** Returns why the answer ended, in the words of its dialect, or `null` while the answer arrives. */
  stopReason(): string | null;
};
