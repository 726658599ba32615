import { describe } from 'bun:test';
import { describeBatches } from '../../conformance/batches.ts';
import { describeIdempotency } from '../../conformance/idempotency.ts';
import { describeBatchBytes } from '../../conformance/stored-bytes.ts';
import { openBatchesForTest } from './open-batches-for-test.ts';

describe('Postgres', () => {
  describeBatches(openBatchesForTest);
  describeIdempotency(openBatchesForTest);
  describeBatchBytes(openBatchesForTest);
});
