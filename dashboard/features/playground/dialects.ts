import { chatEndpoints, type DialectId } from '../../app/chat-endpoints.ts';
import type { AnswerReader } from './answer-reader.ts';
import { readChat } from './read-chat.ts';
import { readGemini } from './read-gemini.ts';
import { readMessages } from './read-messages.ts';
import { readResponses } from './read-responses.ts';
import type { RequestWriter } from './request-body.ts';
import { writeChat } from './write-chat.ts';
import { writeGemini } from './write-gemini.ts';
import { writeMessages } from './write-messages.ts';
import { writeResponses } from './write-responses.ts';

export type PlaygroundDialect = {
  id: DialectId;
  label: string;
  /** The endpoint of the public API that takes the same body. */
  path: string;
  /** The endpoint for streams, if it differs from `path`. */
  streamPath?: string;
  write: RequestWriter;
  reader(): AnswerReader;
  /** True if a request can have stop sequences. */
  hasStops: boolean;
  /** True if the server can keep the response. */
  hasStorage: boolean;
};

const dialectById: { readonly [Id in DialectId]: PlaygroundDialect & { id: Id } } = {
  messages: {
    id: 'messages',
    label: 'Messages',
    ...chatEndpoints.messages,
    write: writeMessages,
    reader: readMessages,
    hasStops: true,
    hasStorage: false,
  },
  responses: {
    id: 'responses',
    label: 'Responses',
    ...chatEndpoints.responses,
    write: writeResponses,
    reader: readResponses,
    hasStops: false,
    hasStorage: true,
  },
  chat: {
    id: 'chat',
    label: 'Chat completions',
    ...chatEndpoints.chat,
    write: writeChat,
    reader: readChat,
    hasStops: true,
    hasStorage: false,
  },
  gemini: {
    id: 'gemini',
    label: 'Gemini',
    ...chatEndpoints.gemini,
    write: writeGemini,
    reader: readGemini,
    hasStops: true,
    hasStorage: false,
  },
};

/** All dialects, in the order of the choice. */
export const dialects: readonly PlaygroundDialect[] = Object.values(dialectById);

export const dialectOf = (id: DialectId): PlaygroundDialect => dialectById[id];

/** Returns the dialect that an address names. The default is the messages API. */
export const dialectNamed = (name: string): DialectId =>
  dialects.find(({ id }) => id === name)?.id ?? 'messages';

/** Returns the last part of the dashboard's path that takes the request. */
export const endpointOf = ({ id, streamPath }: PlaygroundDialect, { stream }: { stream: boolean }): string =>
  streamPath && stream ? `${id}-stream` : id;
