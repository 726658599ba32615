import type { AssistantTurn, ToolCall, ToolTurn, Turn, UserTurn } from './conversation.ts';
import { imagesOf, type Json, textOf } from './request-json.ts';
import type { Settings } from './settings.ts';

/** Reads the body of a request in one dialect. */
export type RequestReader = {
  turns: (body: Json) => Turn[];
  /** Returns the settings as the body has them. `readRequest` makes them texts. */
  settings: (body: Json) => Partial<Record<keyof Settings, unknown>>;
  /** The members that are read, apart from those that all dialects have. */
  members: readonly string[];
  /** Returns the names of what is not read of the members above. */
  partsWithoutField?: (body: Json) => string[];
};

export const userTurn = (content: unknown): UserTurn => ({
  role: 'user',
  text: textOf(content),
  images: imagesOf(content),
});

export const assistantTurn = (text: string, calls: readonly ToolCall[]): AssistantTurn => ({
  role: 'assistant',
  text,
  thinking: '',
  calls,
});

/** Makes a turn of one result. Most dialects do not repeat the name of the tool. */
export const resultTurn = (id: string, content: unknown): ToolTurn => ({
  role: 'tool',
  results: [{ id, name: 'tool', text: textOf(content) }],
});
