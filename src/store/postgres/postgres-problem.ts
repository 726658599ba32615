import { StoreProblem } from '../store-problem.ts';

/** Classes and codes of errors that an operator can repair: connections, resources, permissions, shutdowns, disks. */
const OUTSIDE = /^(?:08|28|3D|42501|53|55P03|57|58|25006|XX)/;

/** Returns a `StoreProblem` for a failure outside the program, and every other error unchanged. */
export function postgresProblem(error: unknown): unknown {
  if (error instanceof StoreProblem) return error;
  const { code, message } = error as { code?: string; message?: string };
  if (code === undefined || (/^[0-9A-Z]{5}$/.test(code) && !OUTSIDE.test(code))) return error;
  return new StoreProblem(
    `Postgres is unavailable (${code}: ${message})`,
    'check the database server and the network to it',
    error,
  );
}
