import { codeOfError } from '../../base/lib/error-code.ts';
import { StoreProblem } from '../store-problem.ts';
import { ConnectFailure } from './connection/connect-failure.ts';
import { ConnectionLost } from './connection/connection-lost.ts';

type ProblemKind = { codes: RegExp; says: string; hint: string };

/**
 * Failures outside the program, by SQLSTATE or by the code of a network error.
 * The first row that matches applies.
 */
const KINDS: readonly ProblemKind[] = [
  kind(/^28/, 'refuses the login', 'check the user and the password in DATABASE_URL, and pg_hba.conf'),
  kind(/^3D000/, 'has no such database', 'create the database, or correct its name in DATABASE_URL'),
  kind(/^42501/, 'refuses a permission', 'make the role the owner of its database'),
  kind(
    /^53300/,
    'has no connection left',
    'lower store.connections, raise max_connections, or use PgBouncer',
  ),
  kind(/^53100/, 'has no disk space left', 'free space on the disk of the database server'),
  kind(/^53/, 'is out of resources', 'check the memory and the settings of the database server'),
  kind(/^25006/, 'refuses writes', 'point DATABASE_URL at the primary server'),
  kind(/^57014/, 'canceled the statement', 'check the load of the database server and its statement_timeout'),
  kind(/^57P/, 'is shutting down or starting', 'wait until the database server accepts connections'),
  kind(/^25P0[34]/, 'ended a transaction that took too long', 'check the load of this machine'),
  kind(/^55P03/, 'could not take a lock in time', 'look for long transactions in pg_stat_activity'),
  kind(/^(?:40001|40P01)/, 'rolled the transaction back', 'try again'),
  kind(
    /^(?:26000|42P05)/,
    'or a pool before it lost a prepared statement',
    'set store.prepare to false, or use PgBouncer 1.21 or newer',
  ),
  kind(/^(?:58|XX|F0)/, 'has a fault of its own', "read the database server's log"),
  kind(
    /^(?:08|E[A-Z]+$|ConnectionRefused|CONNECT|DNS)/,
    'cannot be reached',
    'check the database server and the network to it',
  ),
];

/** The codes of a lost connection and of a server that is starting or stopping. */
const TRANSIENT = /^(?:08|57P|E[A-Z]+$|ConnectionRefused|CONNECT)/;
const UNREACHABLE = { says: 'cannot be reached', hint: 'check the database server and the network to it' };

/** Returns a `StoreProblem` for a failure outside the program, and every other error unchanged. */
export function postgresProblem(error: unknown): unknown {
  if (error instanceof StoreProblem) return error;
  const code = codeOfError(error);
  const { message } = error as { message?: string };
  const found = code === undefined ? undefined : KINDS.find(({ codes }) => codes.test(code));
  if (!found && !isConnectionError(error)) return error;
  const { says, hint } = found ?? UNREACHABLE;
  const what = `Postgres ${says} (${[code, message].filter(Boolean).join(': ')})`;
  return new StoreProblem(what, hint, error, { isTransient: TRANSIENT.test(code ?? '') });
}

/** The server's word on a statement is a defect of the program. */
const isConnectionError = (error: unknown): boolean =>
  error instanceof ConnectFailure || error instanceof ConnectionLost;

function kind(codes: RegExp, says: string, hint: string): ProblemKind {
  return { codes, says, hint };
}
