import { Refusal } from '../../base/errors/refusal.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import { asWritten } from '../../edge/http/as-written.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { KeptConversation } from '../request/kept-conversation.ts';

/**
 * Lets other requests change the named conversation when the answer has ended, whether it succeeded or
 * failed.
 */
export function leaveAfter(
  conversation: KeptConversation | undefined,
  reply: Reply | Refusal,
): MaybeLater<Reply | Refusal> {
  const leave = conversation?.leave;
  if (!leave) return reply;
  if (reply instanceof Refusal) return leave().then(() => reply);
  const body = asWritten(reply.body);
  if (!body) return leave().then(() => reply);
  return { ...reply, body: (writer) => body(writer).finally(leave) };
}
