import type { WrittenBody } from '../../edge/http/reply.ts';
import type { Batch } from '../stored/batch.ts';
import type { BatchStore } from '../stored/batch-store.ts';
import { lineOfRow } from '../stored/result-line.ts';
import { batchExpired } from './batch-refusals.ts';

/** The maximum bytes in memory for each reader, unless one line is longer. */
const BYTES_AT_A_TIME = 256 * 1024;
const ROWS_AT_A_TIME = 100;

/** Streams the lines of an ended batch at the client's pace. The stream fails if the batch expires. */
export const sendResults =
  (store: Pick<BatchStore, 'readResults'>, { id, size }: Batch): WrittenBody =>
  async (writer) => {
    for (let sent = 0; sent < size; ) {
      const rows = await store.readResults(id, {
        after: sent - 1,
        limit: ROWS_AT_A_TIME,
        bytes: BYTES_AT_A_TIME,
      });
      if (rows.length === 0) throw batchExpired();
      sent += rows.length;
      const written = writer.write(rows.map(lineOfRow).join(''));
      if (written) await written;
    }
  };
