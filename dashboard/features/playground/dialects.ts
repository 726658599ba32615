import type { AssistantTurn, Body, DialectId, Settings, ToolDefinition, Turn } from './conversation.ts';
import { chatReader } from './read-chat.ts';
import { messagesReader } from './read-messages.ts';
import { responsesReader } from './read-responses.ts';
import { writeChat } from './write-chat.ts';
import { writeMessages } from './write-messages.ts';
import { writeResponses } from './write-responses.ts';

/** Reads one answer. Each call returns the whole answer so far. */
export type AnswerReader = {
  event(data: unknown): AssistantTurn;
  whole(answer: unknown): AssistantTurn;
  /** Why the answer ended, in the words of its dialect. Null: it has not ended. */
  stopReason(): string | null;
};

export type PlaygroundDialect = {
  id: DialectId;
  label: string;
  /** The endpoint of the public API that takes the same body. */
  path: string;
  write(settings: Settings, turns: readonly Turn[], tools: readonly ToolDefinition[]): Body;
  reader(): AnswerReader;
  hasStops: boolean;
  hasStorage: boolean;
};

export const dialects: readonly PlaygroundDialect[] = [
  {
    id: 'messages',
    label: 'Messages',
    path: '/v1/messages',
    write: writeMessages,
    reader: messagesReader,
    hasStops: true,
    hasStorage: false,
  },
  {
    id: 'responses',
    label: 'Responses',
    path: '/v1/responses',
    write: writeResponses,
    reader: responsesReader,
    hasStops: false,
    hasStorage: true,
  },
  {
    id: 'chat',
    label: 'Chat completions',
    path: '/v1/chat/completions',
    write: writeChat,
    reader: chatReader,
    hasStops: true,
    hasStorage: false,
  },
];

export const dialectOf = (id: string): PlaygroundDialect =>
  dialects.find((one) => one.id === id) ?? dialects[0]!;
