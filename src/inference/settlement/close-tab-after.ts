import { Refusal } from '../../base/errors/refusal.ts';
import type { MaybeLater } from '../../base/lib/after.ts';
import { asWritten } from '../../edge/http/as-written.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Tab } from './tab.ts';

/**
 * Closes the tab when the answer has ended, whether it succeeded or failed. A failed answer costs nothing.
 */
export function closeTabAfter(tab: Tab, reply: Reply | Refusal): MaybeLater<Reply | Refusal> {
  const body = reply instanceof Refusal ? undefined : asWritten(reply.body);
  if (reply instanceof Refusal || !body) {
    const closing = tab.close();
    return closing ? closing.then(() => reply) : reply;
  }
  return { ...reply, body: (writer) => body(writer).finally(() => tab.close()) };
}
