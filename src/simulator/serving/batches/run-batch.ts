import { parseJson } from '../../model/parse-json.ts';
/** One request of a batch, and its whole answer when it has one. */
export type BatchItem = { customId: string; body: unknown; answer?: ItemAnswer };

type ItemAnswer = { status: number; body: unknown };

export type SimulatedBatch = {
  id: string;
  createdSeconds: number;
  items: readonly BatchItem[];
  cancelledSeconds?: number;
  endedSeconds?: number;
};

/** Answers the body of an item. */
export type AnswerItem = (body: unknown) => Promise<Response>;

/** Answers the items of a batch one after the other, until the batch is canceled. */
export async function runBatch(
  batch: SimulatedBatch,
  answerItem: AnswerItem,
  nowSeconds: () => number,
): Promise<void> {
  for (const item of batch.items) {
    // Other requests are served between two items.
    await new Promise((resolve) => setImmediate(resolve));
    if (batch.cancelledSeconds !== undefined) break;
    item.answer = await answerOf(item, answerItem);
  }
  batch.endedSeconds = nowSeconds();
}

/** Returns the answer to an item. A fault that the model's name requests can break the answer off. */
async function answerOf({ body }: BatchItem, answerItem: AnswerItem): Promise<ItemAnswer> {
  try {
    const answer = await answerItem(body);
    const text = await answer.text();
    return { status: answer.status, body: parseJson(text) ?? text };
  } catch {
    return { status: 500, body: { error: { message: 'The answer broke off.', type: 'server_error' } } };
  }
}
