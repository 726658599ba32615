import type { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { noteRefusal } from '../../edge/http/note-refusal.ts';

/** Waits for a settlement. A failure is reported and noted on the request, and is returned as a refusal. */
export async function settleOrRefuse(
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
