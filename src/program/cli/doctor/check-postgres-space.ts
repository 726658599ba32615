import { randomUUID } from 'node:crypto';
import type { PostgresConnection } from '../../../store/postgres/connection/postgres-connection.ts';
import { postgresProblem } from '../../../store/postgres/postgres-problem.ts';
import { StoreProblem } from '../../../store/store-problem.ts';
import { type Finding, fail, ok } from './finding.ts';

const CHECK = 'store';
/** About 1 MB: more than the free space inside the pages of a small table. */
const ROWS = 16_000;

/** Writes a table and rolls it back. A server with a full disk still answers each query that only reads. */
export async function checkPostgresSpace(connection: Pick<PostgresConnection, 'simple'>): Promise<Finding> {
  const table = `doctor_${randomUUID().replaceAll('-', '')}`;
  try {
    await connection.simple(
      `BEGIN; CREATE TABLE ${table} AS SELECT md5(n::text) FROM generate_series(1, ${ROWS}) AS n; ROLLBACK`,
    );
    return ok(CHECK, 'the server has space for new rows');
  } catch (error) {
    const problem = postgresProblem(error);
    if (!(problem instanceof StoreProblem)) throw error;
    return fail(CHECK, `new rows cannot be written: ${problem.message}`, problem.hint);
  }
}
