import type { ErrorCode } from '../../base/errors/catalogue.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { Counter } from './counter.ts';
import type { Metric } from './metric.ts';
import { single } from './read-metric.ts';

/** A batch that has not ended, with its items that are being processed. */
type ActiveBatch = { itemsAtWork: { size: number } };

/** The metrics of batches and of the attempts to process their items. */
export class BatchMetrics {
  readonly #attempts = new Counter({
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
  #activeBatches: () => readonly ActiveBatch[] = () => [];

  constructor() {
    this.all = [
      this.#attempts,
      this.#tokens,
      single(
        { name: 'tollgate_batches_running', help: 'Batches that have not ended.' },
        () => this.#activeBatches().length,
      ),
      single(
        {
          name: 'tollgate_batch_items_at_work',
          help: 'Batch items that are being answered or are queued for capacity.',
        },
        () => this.#activeBatches().reduce((sum, { itemsAtWork }) => sum + itemsAtWork.size, 0),
      ),
    ];
  }

  /** Sets the source of the batches that have not ended. */
  showBatches(active: () => readonly ActiveBatch[]): void {
    this.#activeBatches = active;
  }

  /** Counts an attempt to process an item. `code` is the code of its refusal. */
  countAttempt({ notes, snapshot }: Exchange, code: ErrorCode | undefined): void {
    this.#attempts.add([code ?? '']);
    if (code !== undefined || notes.servedModel === undefined) return;
    const model = snapshot.catalog.labelOf(notes.servedModel);
    if (notes.inputTokens) this.#tokens.add([model, 'input'], notes.inputTokens);
    if (notes.outputTokens) this.#tokens.add([model, 'output'], notes.outputTokens);
  }
}
