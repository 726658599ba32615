// Runs jobs of a test run in several processes, and counts what they report.
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';

const BUNDLER = join('test', 'support', 'bundle-program.ts');
const TEST_TIMEOUT_MS = 60_000;
/** A file that never ends must not hold up the run. */
const FILE_TIMEOUT_MS = 900_000;

/** Bundles the program for the tests that start it, and returns the variable that names the bundle. */
export async function bundleProgram({ root, runtime, folder }) {
  const { code, text } = await runCommand(runtime, [BUNDLER, folder], { root });
  if (code !== 0)
    console.log(`${text}The tests start the program from its sources, since it cannot be bundled.`);
  return code === 0 ? { TOLLGATE_TEST_PROGRAM: join(folder, 'tollgate') } : {};
}

/**
 * Runs the jobs, in their order. Resolves to each job with its counts, its faults, its time and its CPU time.
 */
export async function runJobs(jobs, { processes, ...options }) {
  const results = [];
  const waiting = [...jobs];
  async function work() {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const startedAt = performance.now();
      const result = await (job.command ? runCheck(job, options) : runFiles(job, options));
      results.push({ ...job, ...result, ms: Math.round(performance.now() - startedAt) });
    }
  }
  await Promise.all(Array.from({ length: processes }, work));
  return results;
}

async function runCheck({ name, command }, { root }) {
  const { code, text, cpuMs } = await runCommand(process.execPath, command, { root });
  console.log(`${text}${code === 0 ? 'ok' : 'FAILED'}: ${name}\n`);
  const failed = code === 0 ? 0 : 1;
  return {
    passed: 1 - failed,
    failed,
    skipped: 0,
    faults: failed ? [{ fault: `exit code ${code}` }] : [],
    cpuMs,
  };
}

async function runFiles({ files, store }, { root, runtime, isFull, isLong, environment }) {
  const parameters = ['test', '--timeout', String(TEST_TIMEOUT_MS), ...files.map((file) => `./${file}`)];
  const finished = await runCommand(runtime, parameters, {
    root,
    environment: {
      ...environment,
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      ...(store === 'postgres' && { TOLLGATE_TEST_STORE: store }),
      ...(isFull && { TOLLGATE_TEST_FULL: '1' }),
      ...(isLong && { TOLLGATE_TEST_LONG: '1' }),
    },
    timeoutMs: isLong ? 0 : FILE_TIMEOUT_MS,
  });
  // The runtime's own heading and summary would repeat for every file.
  const output = finished.text.replace(/^bun test v.*\n+/m, '').replace(/\n+ *\d+ pass\n[\s\S]*$/, '\n');
  process.stdout.write(`${store === 'postgres' ? 'On Postgres: ' : ''}${output.trim()}\n\n`);
  return { ...countTests(finished), cpuMs: finished.cpuMs };
}

/** Counts the tests of finished files. Files that fail without a failed test count as one failed test. */
function countTests({ code, text }) {
  const counted = (word) =>
    Number([...text.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))].at(-1)?.[1] ?? 0);
  const result = {
    passed: counted('pass'),
    failed: counted('fail'),
    skipped: counted('skip') + counted('todo'),
    faults: findFaults(text),
  };
  const hasErrors = /^ *\d+ errors?$/m.test(text);
  const byFile = countByFile(text);
  const sum = (member) => Object.values(byFile).reduce((total, counts) => total + counts[member], 0);
  if (!hasErrors && ['passed', 'failed', 'skipped'].every((member) => sum(member) === result[member]))
    result.byFile = byFile;
  const isFinished = /^Ran \d+ tests? across /m.test(text);
  if ((code !== 0 || !isFinished) && result.failed === 0) {
    result.failed = 1;
    result.faults = [{ fault: `ended early with exit code ${code}` }];
  }
  if (result.failed > 0 && result.faults.length === 0)
    result.faults = [{ fault: /^(?:\w*)error: .*$/im.exec(text)?.[0] ?? 'an error outside of its tests' }];
  return result;
}

const MEMBERS = { pass: 'passed', fail: 'failed', skip: 'skipped', todo: 'skipped' };

/** Counts the tests below the heading of each file. The list of failed tests at the end repeats them. */
function countByFile(text) {
  const byFile = {};
  let counts;
  for (const line of text.replace(/^\d+ tests? failed:\n[\s\S]*$/m, '').split('\n')) {
    const file = /^(\S+\.test\.ts):$/.exec(line)?.[1];
    if (file !== undefined) counts = byFile[file] = { passed: 0, failed: 0, skipped: 0 };
    const kind = /^\((pass|fail|skip|todo)\) /.exec(line)?.[1];
    if (kind !== undefined && counts !== undefined) counts[MEMBERS[kind]]++;
  }
  return byFile;
}

/**
 * Finds the failed tests, each with its file. The runtime heads the tests of a file with its path, and may
 * name a failed one again at the end.
 */
function findFaults(text) {
  const faults = new Map();
  let file;
  for (const line of text.split('\n')) {
    file = /^(\S+\.test\.ts):$/.exec(line)?.[1] ?? file;
    const fault = /^\(fail\) (.*?)(?: \[[\d.]+ms\])?$/.exec(line)?.[1];
    if (fault !== undefined && !faults.has(fault)) faults.set(fault, { file, fault });
  }
  return [...faults.values()];
}
