import { formatProblem } from '../config-problem.ts';
import { parseConfig } from '../load-config.ts';

export type Variables = Record<string, string>;

/** Returns the problems of a configuration, as a start reports them. */
export const problemsOf = (text: string, environment: Variables = {}): string[] => {
  const loaded = parseConfig({ text, file: 'tollgate.yaml', environment });
  return 'problems' in loaded ? loaded.problems.map(formatProblem) : [];
};

/** Writes the text of a provider with these fields. */
export const provider = (fields: string): string =>
  `providers:\n  - id: local\n    base_url: http://127.0.0.1:1/v1\n    ${fields}\n`;
const price = 'pricing_usd_per_mtok: { input: 1, output: 1 }';
export const model = (fields: string): string =>
  `catalog:\n  models:\n    - { id: m, context_window: 10, ${price}, ${fields} }\n`;
