import type { TSchema } from 'typebox';
import type { Environment } from '../../base/lib/environment.ts';
import { findProblems } from '../../base/schema/find-problems.ts';
import type { ConfigProblem } from './config-problem.ts';
import type { Config } from './config-schema.ts';
import { LocalServersSchema } from './local-servers-schema.ts';
import { readPlainScalar } from './read-plain-scalar.ts';
import { AdminSchema, ServerSchema } from './server-schema.ts';
import { StoreSchema } from './store-schema.ts';
import { unitOf } from './unit-of.ts';

/** A variable that takes precedence over a field of the file. */
type Override = {
  variable: string;
  schema: TSchema;
  read: (text: string) => unknown;
  /** The unit of a number. A text has none, and no message shows it, since it can be a secret. */
  unit?: string | undefined;
  /** Returns the configuration with a value that fits the schema. */
  set: (config: Config, value: never) => Config;
};

const asText = (text: string): unknown => text;

/** The variables. TOLLGATE_CONFIG, which names the file itself, is not one of them. */
const overrides: readonly Override[] = [
  {
    variable: 'PORT',
    schema: ServerSchema.properties.port,
    read: readPlainScalar,
    unit: unitOf('port'),
    set: (config, port) => ({ ...config, server: { ...config.server, port } }),
  },
  {
    variable: 'DATA_DIR',
    schema: StoreSchema.properties.data_dir,
    read: asText,
    set: (config, data_dir) => ({ ...config, store: { ...config.store, data_dir } }),
  },
  {
    variable: 'DATABASE_URL',
    schema: StoreSchema.properties.database_url,
    read: asText,
    set: (config, database_url) => ({ ...config, store: { ...config.store, database_url } }),
  },
  {
    variable: 'TOLLGATE_ADMIN_TOKEN',
    schema: AdminSchema.properties.token,
    read: asText,
    set: (config, token) => ({ ...config, admin: { ...config.admin, token } }),
  },
  {
    variable: 'TOLLGATE_LOCAL_SERVERS',
    schema: LocalServersSchema.properties.mode,
    read: asText,
    set: (config, mode) => ({ ...config, local_servers: { ...config.local_servers, mode } }),
  },
];

/**
 * Returns the configuration file of the command line, else of the environment. An empty variable counts as
 * unset.
 */
export const configFileOf = (flag: string | undefined, environment: Environment): string | null =>
  flag || environment.TOLLGATE_CONFIG || null;

/** Finds the variables with invalid values. */
export const environmentProblems = (environment: Environment): ConfigProblem[] =>
  valuesOf(environment).flatMap(({ override: { variable, schema, unit }, value }) => {
    const isSecret = () => unit === undefined;
    return findProblems(schema, value, { limit: 1, isSecret }).map(({ message }) => ({
      file: null,
      line: null,
      column: null,
      field: variable,
      message: unit === undefined ? message : `${message}; ${unit}`,
    }));
  });

/** Applies the variables to a configuration. `environmentProblems` must have found no problem. */
export const applyEnvironment = (config: Config, environment: Environment): Config =>
  valuesOf(environment).reduce(
    (changed, { override, value }) => override.set(changed, value as never),
    config,
  );

/** Returns the overrides whose variable is set, each with its value. */
const valuesOf = (environment: Environment): { override: Override; value: unknown }[] =>
  overrides.flatMap((override) => {
    const text = environment[override.variable];
    return text ? [{ override, value: override.read(text) }] : [];
  });
