import type { Environment } from '../../base/lib/environment.ts';
import { findProblems } from '../../base/schema/find-problems.ts';
import type { ConfigProblem } from './config-problem.ts';
import type { Config } from './config-schema.ts';
import { LocalServersSchema } from './local-servers-schema.ts';
import { unitOf } from './number-units.ts';
import { readPlainScalar } from './plain-scalar.ts';
import { AdminSchema, ServerSchema, StoreSchema } from './server-schema.ts';

const sections = {
  server: ServerSchema,
  store: StoreSchema,
  admin: AdminSchema,
  local_servers: LocalServersSchema,
};
type Section = keyof typeof sections;

type Override = { variable: string; section: Section; field: string; read: (text: string) => unknown };

const asText = (text: string): unknown => text;

/** Variables that take precedence over the file. TOLLGATE_CONFIG names the file itself. */
const overrides: readonly Override[] = [
  { variable: 'PORT', section: 'server', field: 'port', read: readPlainScalar },
  { variable: 'DATA_DIR', section: 'store', field: 'data_dir', read: asText },
  { variable: 'DATABASE_URL', section: 'store', field: 'database_url', read: asText },
  { variable: 'TOLLGATE_ADMIN_TOKEN', section: 'admin', field: 'token', read: asText },
  { variable: 'TOLLGATE_LOCAL_SERVERS', section: 'local_servers', field: 'mode', read: asText },
];

/**
 * Returns the configuration file of the command line, else of the environment.
 * An empty variable counts as unset.
 */
export const configFileOf = (flag: string | undefined, environment: Environment): string | null =>
  flag || environment.TOLLGATE_CONFIG || null;

function problemOf({ variable, section, field }: Override, value: unknown): ConfigProblem | undefined {
  const schema = sections[section].properties[field as never];
  const [problem] = findProblems(schema, value, { limit: 1, isSecret: () => field !== 'port' });
  if (!problem) return undefined;
  const unit = typeof value === 'number' || field === 'port' ? unitOf(field) : undefined;
  const message = unit ? `${problem.message}; ${unit}` : problem.message;
  return { file: null, line: null, column: null, field: variable, message };
}

const setIn = (environment: Environment): Override[] =>
  overrides.filter(({ variable }) => Boolean(environment[variable]));

/** Finds the variables with invalid values. */
export const environmentProblems = (environment: Environment): ConfigProblem[] =>
  setIn(environment).flatMap((override) => {
    const problem = problemOf(override, override.read(environment[override.variable]!));
    return problem ? [problem] : [];
  });

/** Applies the environment overrides to a configuration. */
export function applyEnvironment(config: Config, environment: Environment): Config {
  let changed = config;
  for (const { variable, section, field, read } of setIn(environment)) {
    changed = { ...changed, [section]: { ...changed[section], [field]: read(environment[variable]!) } };
  }
  return changed;
}
