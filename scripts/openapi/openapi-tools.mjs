import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { places } from './places.mjs';

const { folder, python, client } = places;

const packages = [
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  'openapi-typescript@7.13.0',
  'typescript@5.9.3',
];
const pythonPackages = ['schemathesis==4.32.5', 'openapi-python-client==0.29.1'];

/** Runs a program in the folder of the tools. */
const run = (program, options) =>
  spawnSync(program, options, {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', PYTHONPATH: client },
  });

/** Installs the tools. A tool that cannot be installed is missing later, and its checks fail. */
export function installTools() {
  mkdirSync(folder, { recursive: true });
  const npm = run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages]);
  if (npm.status !== 0) console.error(`npm could not install ${packages.join(', ')}.\n${npm.stderr ?? ''}`);
  const steps = [
    ['python3', ['-m', 'venv', python]],
    [join(python, 'bin', 'pip'), ['install', '--quiet', ...pythonPackages]],
  ];
  for (const [program, options] of steps) {
    const done = run(program, options);
    if (done.status === 0) continue;
    console.error(`${program} ${options.join(' ')} failed.\n${done.stderr ?? done.error ?? ''}`);
    return;
  }
}

/** Runs an installed program. Its output is text. */
export const runTool = ({ program, isPython }, options) =>
  run(isPython ? join(python, 'bin', program) : join(folder, 'node_modules', '.bin', program), options);
