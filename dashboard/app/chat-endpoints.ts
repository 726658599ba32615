import { keysOf } from '../../src/base/lib/records.ts';
import type { PromptContent } from '../../src/console/dashboard/prompt-schema.ts';

/** A protocol in which the playground writes requests and reads answers. */
export type DialectId = PromptContent['dialect'];

type ChatEndpoint = {
  path: string;
  /** The endpoint for streams, if it differs from `path`. */
  streamPath?: string;
};

/** The endpoints of the public API for chats. */
export const chatEndpoints: Readonly<Record<DialectId, ChatEndpoint>> = {
  messages: { path: '/v1/messages' },
  responses: { path: '/v1/responses' },
  chat: { path: '/v1/chat/completions' },
  gemini: {
    path: '/v1beta/models/{id}:generateContent',
    streamPath: '/v1beta/models/{id}:streamGenerateContent',
  },
};

/** Returns the dialect of a route, or undefined if its requests are not chats. */
export function dialectOfRoute(route: string): DialectId | undefined {
  // Gemini's API is served below two prefixes, and an id of a model can have slashes.
  const routePath = route.replace('{id*}', '{id}').replace(/^\/v1\/models\//, '/v1beta/models/');
  return keysOf(chatEndpoints).find((dialect) => {
    const { path, streamPath } = chatEndpoints[dialect];
    return routePath === path || routePath === streamPath;
  });
}
