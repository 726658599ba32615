import { jsonReply, type Reply } from '../../edge/http/reply.ts';

/** Returns the reply of an answer that sets cookies. */
export const replyWithCookies = (answer: object, cookies: readonly string[]): Reply => ({
  ...jsonReply(200, answer),
  cookies,
});
