import { type Mutant, row } from './mutant.ts';

/** Faults of answers, their records, and batches. */
export const answerMutants: readonly Mutant[] = [
  row(
    'a stream ends before its settlement',
    'inference/reply/stream-reply.ts',
    '    const usage = estimate.soFar(stream.produced);\n    const unsettled',
    '    const usage = estimate.soFar(stream.produced);\n    await writeText(writer, closing);\n    const unsettled',
  ),
  row(
    'an item of a batch runs again after its success',
    'store/sqlite/batches/items.ts',
    'const finishSql = `UPDATE batch_item SET state = $result WHERE',
    "const finishSql = `UPDATE batch_item SET state = 'queued' WHERE $result <> 'none' AND",
  ),
  row(
    'a repeated request gets an answer that was not charged',
    'inference/recording/look-at-log.ts',
    '(await own.ledger.findEntry(entryIdOf(requestId))) !== undefined;',
    '(await own.ledger.findEntry(entryIdOf(requestId))) !== null;',
  ),
  row(
    'two requests add to a conversation at once',
    'store/stored-conversations.ts',
    '(holder IS NULL OR holder = $4 OR held_until <= $3)',
    '(holder IS NOT NULL OR holder IS NULL OR held_until <= $3 + $4)',
  ),
  row(
    'a conversation stays held after its answer',
    'store/stored-conversations.ts',
    'SET holder = NULL, held_until = 0 WHERE id = $1 AND holder = $2',
    'SET holder = holder WHERE id = $1 AND holder = $2',
  ),
  row(
    'a response in the background has another request after a crash',
    'inference/background/take-up-background.ts',
    'const exchange = jobs.createExchange(row.requestId, {',
    "const exchange = jobs.createExchange(row.requestId + 'x', {",
  ),
  row(
    'an item forgets the batch at its vendor when the process stops',
    'store/sqlite/batches/items.ts',
    '    submission = CASE WHEN $failed THEN NULL ELSE submission END',
    '    submission = NULL',
  ),
  row(
    'readers get the end of an answer before its charge',
    'inference/recording/recording-log.ts',
    'this.#visible += parts.length - 1;',
    'this.#visible += parts.length;',
  ),
  row(
    'readers miss the end of an answer',
    'inference/recording/recording-log.ts',
    '    this.#visible++;\n',
    '',
  ),
];
