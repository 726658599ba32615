// Finds the browser for the tests of pages. On a build machine that runs as root, it is installed first.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/** Nobody expects `npm test` to change the packages of a developer's machine. */
const mayInstall = () => Boolean(process.env.CI) && process.getuid?.() === 0;

function install() {
  const run = (args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  return run(['update', '-qq']) && run(['install', '-qq', '-y', '--no-install-recommends', 'chromium']);
}

/** Returns the variable that names the browser, if there is one. Says so once if its tests are skipped. */
export function ensureChromium(files) {
  if (!files.some((file) => file.startsWith('test/dashboard/'))) return {};
  const found = findChromium() ?? (mayInstall() && install() ? findChromium() : undefined);
  if (found) return { CHROMIUM_PATH: found };
  console.log(
    'The tests of pages are skipped, because there is no Chromium: install it, or set CHROMIUM_PATH.\n',
  );
  return {};
}
