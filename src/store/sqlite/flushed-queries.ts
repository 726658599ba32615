import type { CommonRow, CommonValue } from '../common-queries.ts';
import { SqliteQueries } from './sqlite-queries.ts';

/** Queries whose reads return nothing that a loss of power could take back. */
export class FlushedQueries extends SqliteQueries {
  override async all(text: string, values: readonly CommonValue[] = []): Promise<CommonRow[]> {
    return this.writer.afterFlush(await super.all(text, values));
  }
}
