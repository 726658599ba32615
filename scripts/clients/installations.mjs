import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runScript } from './run-script.mjs';

export const INSTALL_TIMEOUT_MS = 600_000;

/** The command with which each tool begins an installation in an empty folder. */
export const preparations = {
  npm: `echo '{"private":true}' > package.json`,
  pip: 'test -d python || python3 -m venv python',
  go: 'rm -f go.mod go.sum',
  cargo: 'rm -f Cargo.toml',
};

/** The newest releases of some clients need this version of Node.js. */
const NODE = 22;

/**
 * Installs a newer Node.js from npm if this one is too old. Returns the folders to search for programs first.
 */
export async function installNode(cache) {
  if (Number.parseInt(process.versions.node, 10) >= NODE) return [];
  const folder = join(cache, `node-${NODE}`);
  mkdirSync(folder, { recursive: true });
  const script = `${preparations.npm}\nnpm install --no-audit --no-fund node@${NODE}`;
  const { code, output } = await runScript(script, {
    folder,
    environment: process.env,
    timeoutMs: INSTALL_TIMEOUT_MS,
  });
  if (code !== 0) throw new Error(`Node.js ${NODE} cannot be installed:\n${output}`);
  return [join(folder, 'node_modules', 'node', 'bin')];
}
