// Finds the test files and runs them in several processes. Short unit tests share a process, and every other file has its own.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The measured times of the test files in milliseconds. The longest ones start first. */
const TIMINGS = join('test', 'timings.json');
const POSTGRES_FILES = join('test', 'postgres-files.json');
const BUNDLER = join('test', 'support', 'bundle-program.ts');
const TEST_TIMEOUT_MS = 60_000;
/** A file that never ends must not hold up the run. */
const FILE_TIMEOUT_MS = 900_000;
/** A process costs about 0.4 s of CPU time. Unit tests with shorter times share one. */
const SHORT_MS = 1_500;
const MOST_SHARING = 20;

/** The files whose path contains one of the texts, or all files. */
export function findTestFiles(root, texts) {
  const folders = [''];
  const files = [];
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
        folders.push(path);
      if (entry.isFile() && entry.name.endsWith('.test.ts')) files.push(path);
    }
  }
  const plain = texts.map((text) => text.replace(/^\.\//, ''));
  return files.filter((file) => plain.length === 0 || plain.some((text) => file.includes(text))).sort();
}

/**
 * Returns the test files that also run on Postgres: those of servers that do not concern the embedded store alone. Without `all` it is a
 * sample.
 */
export function findPostgresFiles(root, files, { all }) {
  const list = join(root, POSTGRES_FILES);
  const { embedded, sample } = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : { embedded: [], sample: [] };
  const isOn = (list) => (file) => list.some((start) => file.startsWith(start));
  const chosen = all ? (file) => file.startsWith('test/') && !isOn(embedded)(file) : isOn(sample);
  return files.filter(chosen);
}

/** Runs a command and returns its exit code and output. A command that cannot run or is killed has failed. */
export function runCommand(command, parameters, { root, environment = {}, timeoutMs = 0 }) {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
    }
    child.on('error', (error) => resolve({ code: 1, text: `${text}${error}\n` }));
    // A process that the command leaves behind may keep the pipes open.
    child.on('exit', () => setTimeout(() => child.stdout.destroy() && child.stderr.destroy(), 5_000).unref());
    child.on('close', (code, signal) =>
      resolve({
        code: code ?? 1,
        text: signal === null ? text : `${text}\nThe process ended by ${signal}.\n`,
      }),
    );
  });
}

/** Counts the tests of finished files. Files that fail without a failed test count as one failed test. */
function countTests(files, { code, text }) {
  const counted = (word) =>
    Number([...text.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))].at(-1)?.[1] ?? 0);
  const result = {
    passed: counted('pass'),
    failed: counted('fail'),
    skipped: counted('skip') + counted('todo'),
  };
  const isFinished = /^Ran \d+ tests? across /m.test(text);
  if ((code !== 0 || !isFinished) && result.failed === 0) {
    result.failed = 1;
    console.log(`FAILED: ${files.join(' ')} ended early with exit code ${code}`);
  }
  return result;
}

/** Bundles the program for the tests that start it, and returns the variable that names the bundle. */
export async function bundleProgram({ root, runtime, folder }) {
  const { code, text } = await runCommand(runtime, [BUNDLER, folder], { root });
  if (code !== 0)
    console.log(`${text}The tests start the program from its sources, since it cannot be bundled.`);
  return code === 0 ? { TOLLGATE_TEST_PROGRAM: join(folder, 'main.js') } : {};
}

async function runProcess(files, { root, runtime, isLong, environment }) {
  const startedAt = performance.now();
  const parameters = ['test', '--timeout', String(TEST_TIMEOUT_MS), ...files.map((file) => `./${file}`)];
  const finished = await runCommand(runtime, parameters, {
    root,
    environment: {
      ...environment,
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      ...(isLong && { TOLLGATE_TEST_LONG: '1' }),
    },
    timeoutMs: isLong ? 0 : FILE_TIMEOUT_MS,
  });
  // The runtime's own heading and summary would repeat for every file.
  const output = finished.text.replace(/^bun test v.*\n+/m, '').replace(/\n+ *\d+ pass\n[\s\S]*$/, '\n');
  process.stdout.write(`${output.trim()}\n\n`);
  return { files, ...countTests(files, finished), ms: Math.round(performance.now() - startedAt) };
}

/** Runs groups of files in several processes and returns a result for each group. */
async function runAll(groups, processes, options) {
  const results = [];
  const waiting = [...groups];
  async function work() {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift())
      results.push(await runProcess(group, options));
  }
  await Promise.all(Array.from({ length: processes }, work));
  return results;
}

/** Groups the files by process, the longest first. A file without a measured time has a process of its own. */
function groupFiles(files, timeOf) {
  const isShort = (file) => file.startsWith('src/') && timeOf(file) < SHORT_MS;
  const alone = files.filter((file) => !isShort(file)).sort((a, b) => timeOf(b) - timeOf(a));
  const short = files.filter(isShort);
  const shared = Array.from({ length: Math.ceil(short.length / MOST_SHARING) }, (_, index) =>
    short.slice(index * MOST_SHARING, (index + 1) * MOST_SHARING),
  );
  // The short ones come last, so that they fill the gaps at the end.
  return [...alone.map((file) => [file]), ...shared];
}

const hasFailed = ({ failed }) => failed > 0;
const alone = (file) => [file];

/**
 * Runs the files, and then those of every failed process once more, without other files beside them. Some tests bound durations, and
 * other work on the machine can exceed a bound once. The second result replaces the first one.
 */
export async function runTestFiles(files, { processes, shouldUpdateTimings, ...options }) {
  const timingsFile = join(options.root, TIMINGS);
  const known = existsSync(timingsFile) ? JSON.parse(readFileSync(timingsFile, 'utf8')).files : {};
  const timeOf = (file) => known[file] ?? Number.POSITIVE_INFINITY;
  const groups = shouldUpdateTimings ? files.map(alone) : groupFiles(files, timeOf);
  const first = await runAll(groups, processes, options);
  if (shouldUpdateTimings) {
    const times = Object.fromEntries(first.map(({ files: [file], ms }) => [file, ms]));
    const sorted = Object.fromEntries(files.map((file) => [file, times[file]]));
    writeFileSync(timingsFile, `${JSON.stringify({ version: 1, files: sorted }, null, 2)}\n`);
  }
  const failedOnce = first.filter(hasFailed).flatMap((result) => result.files);
  if (failedOnce.length > 0) console.log(`Running again, one at a time: ${failedOnce.join(' ')}\n`);
  const again = await runAll(failedOnce.map(alone), 1, options);
  for (const {
    files: [file],
    failed,
  } of again)
    console.log(failed > 0 ? `FAILED twice: ${file}` : `passed alone: ${file}`);
  return [...first.filter((result) => !hasFailed(result)), ...again];
}
