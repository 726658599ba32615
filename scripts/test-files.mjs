// Finds the test files and runs each of them in a process of its own, so that no file can harm or hide another.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The measured times of the test files in milliseconds. The longest ones start first. */
const TIMINGS = join('test', 'timings.json');
const BUNDLER = join('test', 'support', 'bundle-program.ts');
const TEST_TIMEOUT_MS = 60_000;
/** A file that never ends must not hold up the run. */
const FILE_TIMEOUT_MS = 900_000;

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

/** Counts the tests of a finished file. A file that fails without a failed test counts as one failed test. */
function countTests(file, { code, text }) {
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
    console.log(`FAILED: ${file} ended early with exit code ${code}`);
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

async function runTestFile(file, { root, runtime, isLong, environment }) {
  const startedAt = performance.now();
  const finished = await runCommand(runtime, ['test', '--timeout', String(TEST_TIMEOUT_MS), `./${file}`], {
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
  return { ...countTests(file, finished), ms: Math.round(performance.now() - startedAt) };
}

/** Runs the files in several processes and returns their results by file. */
async function runAll(files, processes, options) {
  const results = new Map();
  const waiting = [...files];
  async function work() {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      results.set(file, await runTestFile(file, options));
  }
  await Promise.all(Array.from({ length: processes }, work));
  return results;
}

const failedFiles = (results) => [...results].filter(([, { failed }]) => failed > 0).map(([file]) => file);

/**
 * Runs the files, and then every failed file once more without other files beside it. Some tests bound durations, and other
 * work on the machine can exceed a bound once. The second result of a file replaces its first one.
 */
export async function runTestFiles(files, { processes, shouldUpdateTimings, ...options }) {
  const timingsFile = join(options.root, TIMINGS);
  const known = existsSync(timingsFile) ? JSON.parse(readFileSync(timingsFile, 'utf8')).files : {};
  const timeOf = (file) => known[file] ?? 0;
  const results = await runAll(
    [...files].sort((a, b) => timeOf(b) - timeOf(a)),
    processes,
    options,
  );
  if (shouldUpdateTimings) {
    const times = Object.fromEntries(files.map((file) => [file, results.get(file).ms]));
    writeFileSync(timingsFile, `${JSON.stringify({ version: 1, files: times }, null, 2)}\n`);
  }
  const failedOnce = failedFiles(results);
  if (failedOnce.length > 0) console.log(`Running again, one at a time: ${failedOnce.join(' ')}\n`);
  const again = await runAll(failedOnce, 1, options);
  const failedTwice = failedFiles(again);
  const recovered = failedOnce.filter((file) => !failedTwice.includes(file));
  for (const file of recovered) console.log(`passed only alone: ${file}`);
  for (const file of failedTwice) console.log(`FAILED twice: ${file}`);
  return [...new Map([...results, ...again]).values()];
}
