import { Refusal } from '../../base/errors/refusal.ts';
import type { MaybeLater } from '../../base/lib/after.ts';
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
  const body = reply instanceof Refusal ? undefined : asWritten(reply.body);
  if (reply instanceof Refusal || !body) return leave().then(() => reply);
  return { ...reply, body: (writer) => body(writer).finally(leave) };
}
