import type { ErrorCode } from '../../base/errors/catalogue.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { Counter } from './counter.ts';
import { single } from './gauge.ts';
import type { Metric } from './metric.ts';

/** Counts the cost of an item that was answered. */
type SpentOnItem = (notes: Exchange['notes']) => void;

/** A batch that has not ended, with its items that are being processed. */
type ActiveBatch = { atWork: { size: number } };

export class BatchMetrics {
  readonly #tries = new Counter({
    name: 'tollgate_batch_tries_total',
    help: 'Attempts to process batch items, by error code. An empty code means success.',
    labels: ['code'],
  });
  readonly #tokens = new Counter({
    name: 'tollgate_batch_tokens_total',
    help: 'Tokens of answered batch items, by the model that answered.',
    labels: ['model', 'direction'],
  });
  readonly all: readonly Metric[];
  readonly #spent: SpentOnItem;
  #active: () => readonly ActiveBatch[] = () => [];

  constructor(spent: SpentOnItem) {
    this.#spent = spent;
    this.all = [
      this.#tries,
      this.#tokens,
      single(
        { name: 'tollgate_batches_running', help: 'Batches that have not ended.' },
        () => this.#active().length,
      ),
      single(
        {
          name: 'tollgate_batch_items_at_work',
          help: 'Batch items that are being answered or are queued for capacity.',
        },
        () => this.#active().reduce((sum, { atWork }) => sum + atWork.size, 0),
      ),
    ];
  }

  /** Shows the batches of a runner from now on. */
  follow(active: () => readonly ActiveBatch[]): void {
    this.#active = active;
  }

  tried({ notes, snapshot }: Exchange, code: ErrorCode | undefined): void {
    this.#tries.add([code ?? '']);
    if (code !== undefined || notes.servedModel === undefined) return;
    const model = snapshot.catalog.labelOf(notes.servedModel);
    this.#spent({ ...notes, servedModel: model });
    if (notes.inputTokens) this.#tokens.add([model, 'input'], notes.inputTokens);
    if (notes.outputTokens) this.#tokens.add([model, 'output'], notes.outputTokens);
  }
}
