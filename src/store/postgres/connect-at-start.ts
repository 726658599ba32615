import { codeOfError } from '../../base/lib/error-code.ts';
import { StoreProblem } from '../store-problem.ts';
import { type ConnectionTarget, placeOf } from './connection/connection-target.ts';
import { openConnection } from './connection/open-connection.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { postgresProblem } from './postgres-problem.ts';

export type StartSteps = {
  /** Called every five seconds while the server does not answer. */
  report(sentence: string): void;
  /** Milliseconds of a clock that is never set. */
  now(): number;
  /** Reports whether the start was stopped, so it must not wait any longer. */
  isStopped?(): boolean;
};

const PATIENCE_MS = 30_000;
const REPORT_MS = 5_000;
const RETRY_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
const OLDEST_VERSION = 15;
/** The codes of a wrong login, database or permission. No later attempt can succeed. */
const FINAL = /^(?:28|3D000|42501)/;

/**
 * Waits until the database answers, at most 30 s. Throws a `StoreProblem` with a sentence for the operator if
 * it does not, or if this program cannot use it.
 */
export async function connectAtStart(target: ConnectionTarget, steps: StartSteps): Promise<void> {
  const connection = await waitForServer(target, steps);
  try {
    refuseOldVersion(connection);
    await refuseMissingPermission(connection, target);
  } catch (error) {
    throw postgresProblem(error);
  } finally {
    connection.end();
  }
}

async function waitForServer(
  target: ConnectionTarget,
  { report, now, isStopped }: StartSteps,
): Promise<PostgresConnection> {
  const startedAt = now();
  let reportedAt = startedAt;
  while (true) {
    const timeoutMs = Math.min(CONNECT_TIMEOUT_MS, Math.max(1, startedAt + PATIENCE_MS - now()));
    try {
      return await openConnection(target, { timeoutMs });
    } catch (error) {
      const waitedMs = now() - startedAt;
      if (isStopped?.()) throw stopped();
      const problem = postgresProblem(error);
      if (FINAL.test(codeOfError(error) ?? '') || waitedMs >= PATIENCE_MS) throw problem;
      if (now() - reportedAt >= REPORT_MS) {
        reportedAt = now();
        report(waitingSentence(target, waitedMs, problem));
      }
    }
    await Bun.sleep(RETRY_MS);
  }
}

const waitingSentence = ({ hosts }: ConnectionTarget, waitedMs: number, problem: unknown): string => {
  const reason = problem instanceof Error ? problem.message : String(problem);
  const places = hosts.map(placeOf).join(', ');
  return `Waiting for Postgres at ${places} since ${Math.round(waitedMs / 1_000)} s: ${reason}`;
};

const stopped = (): StoreProblem =>
  new StoreProblem('The start was stopped while it waited for Postgres', 'check the database server');

function refuseOldVersion({ facts }: PostgresConnection): void {
  const version = facts.parameters.get('server_version') ?? '';
  if (!(Number.parseInt(version, 10) < OLDEST_VERSION)) return;
  throw new StoreProblem(
    `The database server is Postgres ${version}, but version ${OLDEST_VERSION} or newer is needed`,
    'upgrade the database server',
  );
}

async function refuseMissingPermission(
  connection: PostgresConnection,
  { user }: ConnectionTarget,
): Promise<void> {
  const timer = setTimeout(
    () => connection.destroy(new StoreProblem('Postgres did not answer', 'check the network to the server')),
    CONNECT_TIMEOUT_MS,
  );
  const { rows } = await connection
    .query({
      text: `SELECT current_schema() AS schema, current_database() AS name,
        coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreate"`,
    })
    .finally(() => clearTimeout(timer));
  const { schema, name, mayCreate } = rows[0] ?? {};
  if (mayCreate) return;
  throw new StoreProblem(
    `The role ${user} lacks the permission CREATE on the schema ${schema ?? 'public'} of the database ${name}`,
    `run ALTER DATABASE "${name}" OWNER TO "${user}", or GRANT CREATE, USAGE ON SCHEMA public TO "${user}"`,
  );
}
