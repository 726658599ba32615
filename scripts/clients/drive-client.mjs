import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { quiet } from './clients-table.mjs';
import { installedVersion } from './installed-version.mjs';
import { readPage } from './read-page.mjs';

const INSTALL_TIMEOUT_MS = 600_000;
/** A first check also compiles the SDK. */
const CHECK_TIMEOUT_MS = 600_000;
/** The last output can arrive after the end of the process. */
const LAST_OUTPUT_MS = 100;
/** The address that the pages show. */
const SHOWN = 'http://127.0.0.1:8080';
const MARK = '[simulated]';

/** The folders of programs that an installation of the client makes. */
const binariesOf = (folder) => [join(folder, 'node_modules', '.bin'), join(folder, 'python', 'bin')];

/** How each tool begins an installation in an empty folder. */
const preparations = {
  npm: `echo '{"private":true}' > package.json`,
  pip: 'test -d python || python3 -m venv python',
  go: 'rm -f go.mod go.sum',
  cargo: 'rm -f Cargo.toml',
};

/** A global installation of the page becomes one in the client's own folder. */
const locally = (script) => script.replaceAll('npm install -g', 'npm install');

/** Runs a shell script to its end. A process that keeps the output open does not delay the result. */
function run(script, { folder, environment, timeoutMs }) {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a process group of its own, which the time limit ends as a whole
    });
    let output = '';
    const collect = (bytes) => {
      output += bytes;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const end = () => process.kill(-child.pid, 'SIGKILL');
    const timer = setTimeout(end, timeoutMs);
    process.once('exit', end);
    child.on('exit', (code) => {
      clearTimeout(timer);
      process.off('exit', end);
      setTimeout(() => resolve({ code, output }), LAST_OUTPUT_MS);
    });
  });
}

/** Ends background processes that a client left behind. They are found by their home directory. */
function endRemains(home) {
  if (!existsSync('/proc')) return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(join('/proc', pid, 'environ'), 'utf8').split('\0');
      if (Number(pid) !== process.pid && environment.includes(`HOME=${home}`)) process.kill(Number(pid));
    } catch {
      // The process has ended, or belongs to another user.
    }
  }
}

/** Programs get fresh settings in a home of their own. Compilers and libraries keep this environment and their caches. */
function environmentOf({ tool }, { path, home, key }) {
  const base = tool === 'npm' ? { HOME: home, TERM: 'dumb', ...quiet } : { ...process.env, HOME: homedir() };
  return { ...base, PATH: path, TOLLGATE_KEY: key };
}

/** Installs a client, writes the files of its page and runs the check of the page. */
export async function driveClient(client, { root, cache, gateway }) {
  const folder = join(cache, client.id);
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const page = readPage(join(root, 'docs', 'clients', `${client.page}.md`), client.section);
  const path = [...binariesOf(folder), process.env.PATH].join(':');
  const installing = { folder, environment: { ...process.env, PATH: path }, timeoutMs: INSTALL_TIMEOUT_MS };
  const steps = [preparations[client.tool], locally(page.install)].filter(Boolean).join('\n');
  const installed = await run(steps, installing);
  if (installed.code !== 0) return { problem: `the installation failed:\n${installed.output}` };

  const fill = (text) => text.replaceAll(SHOWN, gateway.url);
  for (const file of page.files) {
    const target = join(file.path.startsWith('~/') ? home : folder, file.path.replace(/^~\//, ''));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, fill(file.body));
  }
  const environment = environmentOf(client, { path, home, key: gateway.key });
  const checked = await run(fill(page.check), { folder, environment, timeoutMs: CHECK_TIMEOUT_MS });
  if (client.tool === 'npm') endRemains(home);
  rmSync(home, { recursive: true, force: true });
  const version = installedVersion(client.tool, { folder, script: page.install });
  if (checked.code !== 0)
    return { version, problem: `the check ended with ${checked.code}:\n${checked.output}` };
  if (!checked.output.includes(MARK))
    return { version, problem: `no answer of the simulator:\n${checked.output}` };
  return { version };
}
