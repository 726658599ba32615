import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { responseDescriptions } from '../responses/response-descriptions.ts';
import { conversationBodies } from './conversation-requests.ts';

const shared = { group: 'Conversations', key: 'bearer' } as const satisfies Partial<RouteDescription>;

const conversation = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('conversation'),
    created_at: Type.Number({ description: 'Unix seconds.' }),
    metadata: Type.Record(Type.String(), Type.String()),
  },
  { title: 'Conversation' },
);

const { query, answerSchema: listOfItems } = responseDescriptions.inputItems;
const exampleItems = [{ role: 'user', content: 'Hello!' }];
const changing = ['not_found', 'invalid_request', 'conversation_locked'] as const;
const storing = [...changing, 'rate_limit_exceeded', 'capacity_unavailable'] as const;

/** Describes the routes under `/v1/conversations`. */
export const conversationDescriptions = {
  create: {
    ...shared,
    summary: 'Creates a conversation',
    body: conversationBodies.create,
    bodyExample: { items: exampleItems, metadata: { topic: 'greetings' } },
    answer: 'The conversation. Requests to `/v1/responses` continue it with `conversation`.',
    answerSchema: conversation,
    errors: ['rate_limit_exceeded', 'capacity_unavailable'],
  },
  show: {
    ...shared,
    summary: 'Returns a conversation',
    answer: 'The conversation, without its items.',
    answerSchema: conversation,
    errors: ['not_found'],
  },
  update: {
    ...shared,
    summary: 'Changes the metadata of a conversation',
    body: conversationBodies.update,
    bodyExample: { metadata: { topic: 'greetings' } },
    answer: 'The conversation with the new metadata, which replace the earlier ones.',
    answerSchema: conversation,
    errors: changing,
  },
  remove: {
    ...shared,
    summary: 'Deletes a conversation',
    answer: 'The conversation and its items are deleted. Responses that were stored remain.',
    answerSchema: Type.Object({
      id: Type.String(),
      object: Type.Literal('conversation.deleted'),
      deleted: Type.Literal(true),
    }),
    errors: ['not_found'],
  },
  addItems: {
    ...shared,
    summary: 'Adds items to a conversation',
    body: conversationBodies.addItems,
    bodyExample: { items: exampleItems },
    answer: 'The added items.',
    answerSchema: listOfItems,
    errors: storing,
  },
  listItems: {
    ...shared,
    summary: 'Lists the items of a conversation',
    query,
    answer: 'The items, newest first.',
    answerSchema: listOfItems,
    errors: ['not_found', 'invalid_request'],
  },
  showItem: {
    ...shared,
    summary: 'Returns an item of a conversation',
    answer: 'The item.',
    answerSchema: Type.Object({ id: Type.String(), type: Type.String() }),
    errors: ['not_found'],
  },
  removeItem: {
    ...shared,
    summary: 'Deletes an item of a conversation',
    answer: 'The conversation.',
    answerSchema: conversation,
    errors: changing,
  },
} satisfies Record<string, RouteDescription>;
