import type { Environment } from '../../base/lib/environment.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import type { ConfigProblem } from './config-problem.ts';
import { type Config, ConfigSchema } from './config-schema.ts';
import { configCrossChecks } from './cross-checks.ts';
import { applyEnvironment, environmentProblems } from './environment-overrides.ts';
import { type Locate, readDocument } from './read-document.ts';
import { readTextFile } from './read-text-file.ts';
import { telemetryProblems } from './telemetry-problems.ts';

export type ConfigSource = {
  /** `null` means all defaults. */
  file: string | null;
  environment: Environment;
};

/** `ignored`: warnings of settings that no longer exist. */
export type LoadedConfig =
  | { config: Config; locate: Locate; ignored: SchemaProblem[] }
  | { problems: ConfigProblem[] };

/** Loads a configuration file with defaults and environment overrides, or returns all its problems. */
export async function loadConfig({ file, environment }: ConfigSource): Promise<LoadedConfig> {
  const contents = file === null ? { text: '' } : await readTextFile(file);
  if ('reason' in contents)
    return { problems: [{ file, line: null, column: null, field: '', message: contents.reason }] };
  return parseConfig({ text: contents.text, file, environment });
}

/** Parses the text of a configuration file like `loadConfig`. */
export function parseConfig({ text, file, environment }: ConfigSource & { text: string }): LoadedConfig {
  const document = readDocument({
    schema: ConfigSchema,
    text,
    file,
    environment,
    crossChecks: configCrossChecks,
  });
  const environmental = [...environmentProblems(environment), ...telemetryProblems(environment)];
  if ('problems' in document) return { problems: [...document.problems, ...environmental] };
  if (environmental.length > 0) return { problems: environmental };
  const { value, locate, ignored } = document;
  return { config: applyEnvironment(value, environment), locate, ignored };
}
