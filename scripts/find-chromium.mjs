// Finds the browser for the tests of pages.
// On a build machine that runs as root, a missing one is installed first.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The shell has no windows, so a page in it costs a third of the CPU time. */
const shells = ['chromium-headless-shell', 'chrome-headless-shell'];
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

function findProgram(names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/** Reports whether packages may be installed: on a machine of CI, and never on a developer's. */
const mayInstall = () => Boolean(process.env.CI) && process.getuid?.() === 0;

const aptGet = (...args) =>
  spawnSync('apt-get', ['-qq', '-o', 'Acquire::http::Timeout=20', ...args], {
    stdio: ['ignore', 'ignore', 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 300_000,
  }).status === 0;

const install = (name) => aptGet('install', '-y', '--no-install-recommends', name);

/** The shell, else a browser. A missing one is installed if that is allowed. */
function ensureProgram() {
  const found = process.env.CHROMIUM_PATH || findProgram(shells);
  if (found) return found;
  if (mayInstall() && aptGet('update')) {
    if (install(shells[0])) return findProgram(shells);
    if (!findProgram(browsers)) install(browsers[0]);
  }
  return findProgram(browsers);
}

/** Returns the variable that names the browser, if there is one. Says so once if its tests are skipped. */
export function ensureChromium(files) {
  if (!files.some((file) => file.startsWith('test/dashboard/'))) return {};
  const found = ensureProgram();
  if (found) return { CHROMIUM_PATH: found };
  console.log(
    'The tests of pages are skipped, because there is no Chromium: install it, or set CHROMIUM_PATH.\n',
  );
  return {};
}
