import { Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from '../../edge/http/reply.ts';

/** Returns an answer whose body is JSON text already. A refusal is returned as it is. */
export const jsonTextReply = (body: string | Refusal): Reply | Refusal =>
  body instanceof Refusal ? body : { status: 200, body, headers: { 'content-type': 'application/json' } };
