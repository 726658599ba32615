import type { CatalogEntry } from '../../../settings/catalog/catalog.ts';
import type { Config } from '../../../settings/config/config-schema.ts';
import type { Snapshot } from '../../../settings/snapshot/snapshot.ts';
import type { Terminal } from '../terminal.ts';
import type { Finding } from './finding.ts';

/** The providers and models of a configuration. */
export type Settings = Pick<Snapshot, 'providers'> & { catalog: readonly CatalogEntry[] };

export type DoctorInput = {
  config: Config;
  environment: Terminal['environment'];
  /** The settings that a running server uses. Undefined if they are built from the configuration. */
  running?: Settings;
};

/** Checks one aspect of the installation. */
export type Check = (input: DoctorInput) => Finding[] | Promise<Finding[]>;
