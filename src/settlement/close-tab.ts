import { Refusal } from '../errors/refusal.ts';
import type { Reply } from '../http/reply.ts';
import { asWritten } from '../http/stream-body.ts';
import type { Tab } from './tab.ts';

/** Closes the tab when the answer has ended, however it did: what failed costs nothing. */
export async function closeTab(tab: Tab, work: Promise<Reply | Refusal>): Promise<Reply | Refusal> {
  let isStreamed = false;
  try {
    const reply = await work;
    const body = reply instanceof Refusal ? undefined : asWritten(reply.body);
    if (reply instanceof Refusal || !body) return reply;
    isStreamed = true;
    return { ...reply, body: (writer) => body(writer).finally(() => tab.close()) };
  } finally {
    if (!isStreamed) tab.close();
  }
}
