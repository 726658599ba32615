#!/usr/bin/env node
// Prints the path of the runtime and installs missing dependencies first.
// It uses plain Node, since it runs before the installation.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const lockFile = join(root, 'package-lock.json');

const readPackages = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {});

/** Compares the installed packages with the lock file. Optional packages may belong to other platforms. */
function isInstalled({ withDevelopment }) {
  const installed = readPackages(join(modules, '.package-lock.json'));
  return Object.entries(readPackages(lockFile)).every(
    ([path, { version, optional, dev }]) =>
      path === '' || optional || (dev && !withDevelopment) || installed[path]?.version === version,
  );
}

/** A start must not remove the development packages of a clone that has them. */
const hasDevelopment = () =>
  Object.values(readPackages(join(modules, '.package-lock.json'))).some(({ dev }) => dev);

/**
 * Returns the folders in which Node looks for a package that the file `from` needs. A package manager may put
 * the package beside the file or above it.
 */
const foldersOf = (name, from) => createRequire(from).resolve.paths(name) ?? [];

/** Returns the folder of the runtime's package, or undefined if it is not installed. */
function findRuntimePackage() {
  const found = foldersOf('bun', join(root, 'package.json'))
    .map((folder) => join(folder, 'bun'))
    .find((folder) => existsSync(join(folder, 'package.json')));
  return found && realpathSync(found);
}

/**
 * Finds the runtime. If install scripts are disabled, the package has only a stub, and the program is in the
 * platform's package.
 */
function findRuntime() {
  const runtimePackage = findRuntimePackage();
  if (runtimePackage === undefined) return undefined;
  const platforms = foldersOf('@oven/bun', join(runtimePackage, 'package.json'))
    .map((folder) => join(folder, '@oven'))
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name, 'bin', 'bun')));
  const candidates = [...platforms, join(runtimePackage, 'bin', 'bun.exe')];
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
  // An installed package has no lock file. Its packages were installed with it.
  if (existsSync(lockFile) && !isInstalled({ withDevelopment })) {
    console.error('tollgate: installing dependencies (first start only) …');
    // `npm ci` would delete `node_modules` first, while another server may be running from it.
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    // Without the option, npm decides by NODE_ENV.
    run('npm', ['install', ...quiet, withDevelopment || hasDevelopment() ? '--include=dev' : '--omit=dev']);
  }
  const found = findRuntime();
  if (found) return found;
  const runtimePackage = findRuntimePackage();
  if (runtimePackage) run(process.execPath, [join(runtimePackage, 'install.js')]);
  const runtime = findRuntime();
  if (runtime) return runtime;
  console.error(
    'tollgate: no Bun runtime was installed for this platform; run `npm install` and check its output',
  );
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(ensureRuntime());
