import { spawnSync } from 'node:child_process';
import { tools } from './clients-table.mjs';

const isInstalled = (program) => spawnSync('bash', ['-c', `command -v ${program}`]).status === 0;

/** Returns a message that names the programs of a tool that this machine lacks. */
export function missingPrograms(tool) {
  const { programs, source } = tools[tool];
  const missing = programs.filter((program) => !isInstalled(program));
  return missing.length === 0 ? undefined : `${missing.join(' and ')} is missing: install ${source}.`;
}
