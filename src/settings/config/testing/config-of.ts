import type { Environment } from '../../../base/lib/environment.ts';
import { formatProblem } from '../config-problem.ts';
import type { Config } from '../config-schema.ts';
import { parseConfig } from '../load-config.ts';

const parse = (text: string, environment: Environment) =>
  parseConfig({ text, file: 'tollgate.yaml', environment });

/** Returns the configuration of a text. Throws if it has problems. */
export function configOf(text: string, environment: Environment = {}): Config {
  const loaded = parse(text, environment);
  if ('problems' in loaded) throw new Error(loaded.problems.map(formatProblem).join('\n'));
  return loaded.config;
}

/** Returns the problems of a text as a start reports them. */
export function problemsOf(text: string, environment: Environment = {}): string[] {
  const loaded = parse(text, environment);
  return 'problems' in loaded ? loaded.problems.map(formatProblem) : [];
}
