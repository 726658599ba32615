import type { DialectId } from '../../app/chat-endpoints.ts';

/** A call of a tool by the model. `input` is JSON text. */
export type ToolCall = { id: string; name: string; input: string };

export type UserTurn = {
  role: 'user';
  text: string;
  /** Data URLs. */
  images: readonly string[];
  /** Its request failed, so it is not sent again. */
  hasFailed?: true;
};

export type AssistantTurn = {
  role: 'assistant';
  text: string;
  thinking: string;
  calls: readonly ToolCall[];
  /**
   * The answer as its dialect has it, which also has what no other dialect can say. It is sent back
   * unchanged in that dialect.
   */
  own?: { dialect: DialectId; content: unknown };
  /** The part that arrived before the request failed. */
  hasFailed?: true;
};

export type ToolTurn = {
  role: 'tool';
  results: readonly { id: string; name: string; text: string }[];
};

export type Turn = UserTurn | AssistantTurn | ToolTurn;

export const emptyAnswer: AssistantTurn = { role: 'assistant', text: '', thinking: '', calls: [] };
