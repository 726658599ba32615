import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../find-free-port.ts';
import type { Surroundings, SystemUnderTest } from '../system-under-test.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';

const packageVersion = '@portkey-ai/gateway@1.15.2';
const installTimeoutMs = 180_000;

/** Installs the peer once, outside the repository, so that it is not a dependency of the project. */
async function install(surroundings: Surroundings): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'tollgate-bench', 'portkey-1.15.2');
  const program = join(folder, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  const logFile = join(surroundings.directory, 'portkey-install.log');
  const npm = surroundings.children.start({ command: ['npm', 'install', ...flags, packageVersion], logFile });
  const overdue = setTimeout(() => npm.kill('SIGKILL'), installTimeoutMs);
  await npm.exited;
  clearTimeout(overdue);
  if (npm.exitCode !== 0 || !existsSync(program)) throw new Error(`npm could not install ${packageVersion}`);
  return program;
}

/** Portkey's open-source gateway on Node: one process, with the upstream selected by a header. */
export async function startPortkey(surroundings: Surroundings): Promise<SystemUnderTest> {
  const { children, upstreamPort, directory } = surroundings;
  const program = await install(surroundings);
  const port = findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(directory, 'portkey.log');
  const command = ['node', program, '--headless', `--port=${port}`];
  const environment = { NODE_ENV: 'production' };
  const child = children.start({ command, logFile, environment });
  await waitUntilAnswering({ url, child, logFile });
  const headers = {
    authorization: 'Bearer bench-key',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1`,
  };
  return { name: 'portkey', pid: child.pid, url, headers };
}
