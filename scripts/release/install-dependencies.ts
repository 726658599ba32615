import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from './run-tool.ts';

/**
 * Parts of packages that the program does not use: copies of vocabularies in other forms, and npm's own
 * files.
 */
const UNUSED = [
  'gpt-tokenizer/cjs',
  'gpt-tokenizer/data',
  'gpt-tokenizer/src',
  'bun',
  '@oven',
  '.bin',
  '.package-lock.json',
];

/**
 * Installs the packages of package-lock.json into `folder`, without the runtime. npm checks each one against
 * the lock file. The same packages serve every platform.
 */
export function installDependencies(sources: string, folder: string): string {
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(sources, name), join(folder, name));
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  runTool(folder, 'npm', 'ci', '--omit=dev', '--omit=optional', ...quiet);
  const modules = join(folder, 'node_modules');
  for (const name of UNUSED) rmSync(join(modules, name), { recursive: true, force: true });
  return modules;
}
