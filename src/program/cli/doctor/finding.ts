import type { ServerFinding } from '../../../console/admin/examination.ts';

/**
 * The names of the checks, as the output shows them. Scripts can compare them, so `database_tls` keeps its
 * first spelling.
 */
export type CheckName =
  | 'clock'
  | 'configuration'
  | 'data directory'
  | 'database_tls'
  | 'doctor'
  | 'limits'
  | 'live'
  | 'port'
  | 'providers'
  | 'runtime'
  | 'server'
  | 'store';

/** One line of the doctor's output. A running server of another version can name other checks. */
export type Finding = ServerFinding;

/** Reports that a check found no problem. */
export const ok = (check: CheckName, message: string): Finding => finding('ok', check, message, null);

/** Reports a problem that the server can live with. `mend` says what to do. */
export const warn = (check: CheckName, message: string, mend: string): Finding =>
  finding('warn', check, message, mend);

/** Reports a problem that keeps the server from working. `mend` says what to do. */
export const fail = (check: CheckName, message: string, mend: string): Finding =>
  finding('fail', check, message, mend);

const finding = (
  status: Finding['status'],
  check: CheckName,
  message: string,
  mend: string | null,
): Finding => ({ check, status, message, mend });
