import type { AnswerReader } from './answer-reader.ts';
import type { Body, DialectId, Settings, ToolDefinition, Turn } from './conversation.ts';
import { readChat } from './read-chat.ts';
import { readGemini } from './read-gemini.ts';
import { readMessages } from './read-messages.ts';
import { readResponses } from './read-responses.ts';
import { writeChat } from './write-chat.ts';
import { writeGemini } from './write-gemini.ts';
import { writeMessages } from './write-messages.ts';
import { writeResponses } from './write-responses.ts';

export type PlaygroundDialect = {
  id: DialectId;
  label: string;
  /** The endpoint of the public API that takes the same body. */
  path: string;
  /** The endpoint for streams, if that is another one. */
  streamPath?: string;
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
  {
    id: 'gemini',
    label: 'Gemini',
    path: '/v1beta/models/{id}:generateContent',
    streamPath: '/v1beta/models/{id}:streamGenerateContent',
    write: writeGemini,
    reader: readGemini,
    hasStops: true,
    hasStorage: false,
  },
];

/** Returns the dialect of a route. A path of Gemini's API names the model. */
export const dialectAt = (route: string): PlaygroundDialect | undefined => {
  const path = route.replace('{id*}', '{id}').replace(/^\/v1\/models\//, '/v1beta/models/');
  return dialects.find((dialect) => dialect.path === path || dialect.streamPath === path);
};

/** Returns the last part of the dashboard's path that takes the request. */
export const endpointOf = (
  { id, streamPath }: PlaygroundDialect,
  { stream }: Pick<Settings, 'stream'>,
): string => (streamPath && stream ? `${id}-stream` : id);

export const dialectOf = (id: string): PlaygroundDialect =>
  dialects.find((dialect) => dialect.id === id) ?? dialects[0]!;
