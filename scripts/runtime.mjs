#!/usr/bin/env node
// Prints the path of the runtime and installs missing dependencies first. It uses plain Node, since it runs before the installation.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');

const readPackages = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {});

/** Compares the installed packages with the lock file. Optional packages may belong to other platforms. */
function isInstalled({ withDevelopment }) {
  const installed = readPackages(join(modules, '.package-lock.json'));
  return Object.entries(readPackages(join(root, 'package-lock.json'))).every(
    ([path, { version, optional, dev }]) =>
      path === '' || optional || (dev && !withDevelopment) || installed[path]?.version === version,
  );
}

/** Finds the runtime. If install scripts are disabled, the package has only a stub, and the program is in the platform's package. */
function findRuntime() {
  const platforms = join(modules, '@oven');
  const candidates = [
    ...(existsSync(platforms)
      ? readdirSync(platforms).map((name) => join(platforms, name, 'bin', 'bun'))
      : []),
    join(modules, 'bun', 'bin', 'bun.exe'),
  ];
  return candidates.find((path) => existsSync(path) && statSync(path).size > 1_000_000);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    console.error(`tollgate: '${[command, ...args].join(' ')}' failed${error ? `: ${error.message}` : ''}`);
    process.exit(1);
  }
}

export function ensureRuntime({ withDevelopment = false } = {}) {
  if (!isInstalled({ withDevelopment })) {
    console.error('tollgate: installing dependencies (first start only) …');
    // `npm ci` would delete `node_modules` first, while another server may be running from it.
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    // npm omits development packages if NODE_ENV is `production`.
    run('npm', ['install', ...quiet, ...(withDevelopment ? ['--include=dev'] : [])]);
  }
  if (!findRuntime()) run(process.execPath, [join(modules, 'bun', 'install.js')]);
  const runtime = findRuntime();
  if (runtime) return runtime;
  console.error(
    'tollgate: no Bun runtime was installed for this platform; run `npm install` and check its output',
  );
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(ensureRuntime());
