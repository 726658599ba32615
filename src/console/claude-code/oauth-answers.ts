import type { Refusal } from '../../base/errors/refusal.ts';
import { GrantRefusal } from '../../customers/device-sign-in/grant-refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { noteRefusal } from '../../edge/http/note-refusal.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';

/** The header of answers with secrets. */
export const NO_STORE = { 'cache-control': 'no-store' } as const;

export type OAuthProblem = { error: string; description: string };

/** Makes an error in the form of RFC 6749. */
export const oauthError = (
  status: number,
  { error, description }: OAuthProblem,
  headers: Record<string, string> = {},
): Reply => jsonReply(status, { error, error_description: description }, { ...NO_STORE, ...headers });

/** Refuses too many requests of a network. */
export function slowDown(exchange: Exchange, refusal: Refusal): Reply {
  noteRefusal(exchange.notes, refusal);
  const seconds = String(Math.max(1, Math.ceil((refusal.details.retryAfterMs ?? 1_000) / 1_000)));
  const problem = new GrantRefusal('slow_down', refusal.message);
  return oauthError(429, problem, { 'retry-after': seconds });
}
