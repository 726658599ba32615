import { Refusal } from '../../base/errors/refusal.ts';
import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import { asWritten } from '../../edge/http/as-written.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Tab } from './tab.ts';

/**
 * Closes the tab when the answer has ended, whether it succeeded or failed. A failed answer costs nothing.
 */
export function closeTabAfter(tab: Tab, reply: Reply | Refusal): MaybeLater<Reply | Refusal> {
  if (reply instanceof Refusal) return andThen(tab.close(), () => reply);
  const body = asWritten(reply.body);
  if (!body) return andThen(tab.close(), () => reply);
  return { ...reply, body: (writer) => body(writer).finally(() => tab.close()) };
}
