import type { AnswerReader } from './answer-reader.ts';
import type { Body, DialectId, Settings, ToolDefinition, Turn } from './conversation.ts';
import { readChat } from './read-chat.ts';
import { readMessages } from './read-messages.ts';
import { readResponses } from './read-responses.ts';
import { writeChat } from './write-chat.ts';
import { writeMessages } from './write-messages.ts';
import { writeResponses } from './write-responses.ts';

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
    reader: readMessages,
    hasStops: true,
    hasStorage: false,
  },
  {
    id: 'responses',
    label: 'Responses',
    path: '/v1/responses',
    write: writeResponses,
    reader: readResponses,
    hasStops: false,
    hasStorage: true,
  },
  {
    id: 'chat',
    label: 'Chat completions',
    path: '/v1/chat/completions',
    write: writeChat,
    reader: readChat,
    hasStops: true,
    hasStorage: false,
  },
];

export const dialectOf = (id: string): PlaygroundDialect =>
  dialects.find((one) => one.id === id) ?? dialects[0]!;
