import type { Submission } from '../batches/native/native-store.ts';
import { nativeWires } from '../batches/native/native-wire.ts';
import type { CommonRow } from './common-queries.ts';
import { nullableText, number, oneOf, text } from './row-columns.ts';

/** Reads a submission to a batch API of a provider. */
export const submissionOfRow = (row: CommonRow): Submission => ({
  batch: number(row, 'batch'),
  provider: text(row, 'provider'),
  wire: oneOf(row, 'wire', nativeWires),
  upstreamModel: text(row, 'upstream_model'),
  upstreamId: nullableText(row, 'upstream_id'),
  mark: nullableText(row, 'mark'),
  sentAt: number(row, 'sent_at'),
  size: number(row, 'size'),
});
