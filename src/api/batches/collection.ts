import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import type { KeyHeaderChoice } from '../../translation/protocols/key-header.ts';
import type { CollectionId } from './batch.ts';

/** A collection of batches: where it is, and in whose words it speaks. */
export type Collection = {
  id: CollectionId;
  path: string;
  /** Where a request like those of its items is sent by itself. */
  itemPath: string;
  keyHeader: KeyHeaderChoice;
  idPrefix: string;
  style: EnvelopeStyle;
  /** What its objects say that they are. */
  label: Readonly<Record<string, string>>;
  /** Where a result line has the answer. */
  answerField: 'message' | 'response';
};

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
