import type { RouteDescription } from '../../edge/http/route.ts';

/** Describes `GET /v1/responses`. */
export const socketDescription: RouteDescription = {
  group: 'Chat',
  key: 'bearer',
  summary: 'Opens a WebSocket for responses (OpenAI Responses)',
  answerStatus: 101,
  answer:
    'The connection becomes a WebSocket. Each `response.create` that the client sends is a turn, answered with the events of a stream.',
  errors: ['upgrade_required', 'method_not_allowed'],
};
