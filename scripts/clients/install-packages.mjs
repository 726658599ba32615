import { mkdirSync } from 'node:fs';
import { runScript } from './run-script.mjs';

const TIMEOUT_MS = 600_000;

/** The command with which each tool begins an installation in an empty folder. */
const prepareCommands = {
  npm: `echo '{"private":true}' > package.json`,
  pip: 'test -d python || python3 -m venv python',
  go: 'rm -f go.mod go.sum',
  cargo: 'rm -f Cargo.toml',
};

/** Installs packages into a folder with the commands of a tool. Throws if a command fails. */
export async function installPackages(tool, commands, { folder, path = process.env.PATH }) {
  mkdirSync(folder, { recursive: true });
  const script = [prepareCommands[tool], commands].filter(Boolean).join('\n');
  const environment = { ...process.env, PATH: path };
  const { code, output } = await runScript(script, { folder, environment, timeoutMs: TIMEOUT_MS });
  if (code !== 0) throw new Error(`the installation failed:\n${output}`);
}
