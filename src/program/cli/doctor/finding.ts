import type { ServerFinding } from '../../../console/admin/examination.ts';
import type { CatalogEntry } from '../../../settings/catalog/catalog.ts';
import type { Config } from '../../../settings/config/config-schema.ts';
import type { Snapshot } from '../../../settings/snapshot/snapshot.ts';
import type { Terminal } from '../terminal.ts';

/** The subjects of findings, as the output names them. */
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

/** The providers and models of a configuration. */
export type Settings = Pick<Snapshot, 'providers'> & { catalog: readonly CatalogEntry[] };

export type DoctorInput = {
  config: Config;
  environment: Terminal['environment'];
  /** The settings that a running server uses. It is undefined if they are built from the configuration. */
  running?: Settings;
};

/** Checks one aspect of the installation. */
export type Check = (input: DoctorInput) => Finding[] | Promise<Finding[]>;

/** Reports that a check found no problem. */
export const ok = (check: CheckName, message: string): Finding => ({
  check,
  status: 'ok',
  message,
  mend: null,
});

/** Reports a problem that the server can live with. `mend` says what to do. */
export const warn = (check: CheckName, message: string, mend: string): Finding => ({
  check,
  status: 'warn',
  message,
  mend,
});

/** Reports a problem that keeps the server from working. `mend` says what to do. */
export const fail = (check: CheckName, message: string, mend: string): Finding => ({
  check,
  status: 'fail',
  message,
  mend,
});

/** Removes the full stop of a sentence, since a finding continues after its message. */
export const asMessage = (sentence: string): string => sentence.replace(/\.$/, '');

/** Turns a sentence into the remedy of a finding. */
export const asMend = (sentence: string): string =>
  asMessage(`${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`);
