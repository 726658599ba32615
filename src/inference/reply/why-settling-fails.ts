import type { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { noteRefusal } from '../../edge/http/note-refusal.ts';

/** Returns the reason why settling failed, or undefined if the answer is settled. */
export async function whySettlingFails(
  settling: Promise<void>,
  exchange: Exchange,
): Promise<Refusal | undefined> {
  try {
    await settling;
    return undefined;
  } catch (error) {
    exchange.reportFailure(error);
    const refusal = refusalOfError(error);
    noteRefusal(exchange.notes, refusal);
    return refusal;
  }
}
