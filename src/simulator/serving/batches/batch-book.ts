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

/** The answers stay in memory, so the oldest batches and files are forgotten. */
const MAX_KEPT = 100;

/** Keeps a number of values by id, and forgets the oldest. */
export class Kept<Value> {
  readonly #values = new Map<string, Value>();

  get(id: string): Value | undefined {
    return this.#values.get(id);
  }

  /** The latest first, as vendors list them. */
  get all(): Value[] {
    return [...this.#values.values()].reverse();
  }

  add(id: string, value: Value): Value {
    if (this.#values.size === MAX_KEPT) this.#values.delete(this.#values.keys().next().value!);
    this.#values.set(id, value);
    return value;
  }

  remove(id: string): boolean {
    return this.#values.delete(id);
  }
}

export type Ask = (body: unknown) => Promise<Response>;

/** Answers the items of a batch one after the other, until the batch is canceled. */
export async function runBatch(batch: SimulatedBatch, ask: Ask, nowSeconds: () => number): Promise<void> {
  for (const item of batch.items) {
    // Other requests are served between two items.
    await new Promise((resolve) => setImmediate(resolve));
    if (batch.cancelledSeconds !== undefined) break;
    item.answer = await answerOf(item, ask);
  }
  batch.endedSeconds = nowSeconds();
}

/** A fault of a model can break the answer off. */
async function answerOf({ body }: BatchItem, ask: Ask): Promise<ItemAnswer> {
  try {
    const answer = await ask(body);
    return { status: answer.status, body: parsed(await answer.text()) };
  } catch {
    return { status: 500, body: { error: { message: 'The answer broke off.', type: 'server_error' } } };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const jsonLines = (lines: readonly unknown[]): Response =>
  new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
    headers: { 'content-type': 'application/x-jsonl' },
  });
