import type { ServerFinding } from '../../../console/admin/examination.ts';
import type { CatalogEntry } from '../../../settings/catalog/catalog.ts';
import type { Config } from '../../../settings/config/config-schema.ts';
import type { Snapshot } from '../../../settings/snapshot/snapshot.ts';
import type { Terminal } from '../terminal.ts';

/** One line of the doctor's output. */
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
export type Check = (surroundings: DoctorInput) => Finding[] | Promise<Finding[]>;

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message, mend: null });

export const warn = (check: string, message: string, mend: string): Finding => ({
  check,
  status: 'warn',
  message,
  mend,
});

export const fail = (check: string, message: string, mend: string): Finding => ({
  check,
  status: 'fail',
  message,
  mend,
});

/** Turns a sentence into the remedy of a finding. */
export const asMend = (sentence: string): string =>
  `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, '');
