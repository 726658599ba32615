import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import type { KeyHeader } from '../../translation/contract/key-header.ts';
import type { CollectionId } from './batch.ts';

/** A collection of batches: its path, its dialect and its field names. */
export type Collection = {
  id: CollectionId;
  path: string;
  /** The endpoint that takes the same requests one by one. */
  itemPath: string;
  keyHeader: KeyHeader;
  idPrefix: string;
  style: EnvelopeStyle;
  /** The member that names the type of a batch object. */
  label: { type: 'message_batch'; object?: never } | { object: 'batch'; type?: never };
  /** The member of a result line that holds the answer. */
  answerField: 'message' | 'response';
};

/** The collections of the two client protocols. */
export const collections: Readonly<Record<CollectionId, Collection>> = {
  messages: {
    id: 'messages',
    path: '/v1/messages/batches',
    itemPath: '/v1/messages',
    keyHeader: 'x-api-key',
    idPrefix: 'msgbatch_',
    style: 'messages',
    label: { type: 'message_batch' },
    answerField: 'message',
  },
  chat: {
    id: 'chat',
    path: '/v1/batches',
    itemPath: '/v1/chat/completions',
    keyHeader: 'bearer',
    idPrefix: 'batch_',
    style: 'openai',
    label: { object: 'batch' },
    answerField: 'response',
  },
};
