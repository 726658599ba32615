// Runs commands of a test run, and measures the CPU time of each with all its descendants.
import { spawn } from 'node:child_process';
import { browserCpuMs, measureBrowsers } from './browser-costs.mjs';

/**
 * The shell reports the CPU time of the processes that it has waited for, and of those that they have waited
 * for.
 */
const MEASURING = ['-c', '"$@"; code=$?; times >&3; exit $code', 'sh'];

/**
 * Sums the minutes and seconds that the shell reports: the user and system time of the shell and of its
 * children.
 */
const cpuMsOf = (times) =>
  [...times.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000,
    0,
  );

/** The running commands. Each command has a process group of its own. */
const running = new Set();

function kill(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
process.on('exit', () => running.forEach(kill));

/** Starts a command under the measuring shell. File descriptor 3 has its CPU time. */
export function startMeasured(command, parameters, { root, environment = {}, stdin = 'ignore' }) {
  const child = spawn('sh', [...MEASURING, command, ...parameters], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: [stdin, 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child);
  measureBrowsers(child.pid);
  child.on('close', () => running.delete(child));
  let times = '';
  child.stdio[3].setEncoding('utf8').on('data', (chunk) => {
    times += chunk;
  });
  return { child, cpuMs: () => cpuMsOf(times) + browserCpuMs(child.pid) };
}

/**
 * Runs a command and returns its exit code, its output and its CPU time in milliseconds. A command that
 * cannot run or is killed has failed.
 */
export function runCommand(command, parameters, { timeoutMs = 0, ...place }) {
  return new Promise((resolve) => {
    const { child, cpuMs } = startMeasured(command, parameters, place);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
    }
    let isLate = false;
    const late = () => {
      isLate = true;
      kill(child);
    };
    const close = () => {
      for (const stream of child.stdio) stream?.destroy();
    };
    const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined;
    child.on('error', (error) => resolve({ code: 1, text: `${text}${error}\n`, cpuMs: 0 }));
    // A process that the command leaves behind may keep the pipes open.
    child.on('exit', () => {
      clearTimeout(timer);
      setTimeout(close, 5_000).unref();
    });
    child.on('close', (code, signal) => {
      const end = isLate ? `\nThe process was killed after ${timeoutMs / 1000} s.\n` : '';
      const ended = signal === null || isLate ? end : `\nThe process ended by ${signal}.\n`;
      resolve({ code: code ?? 1, text: `${text}${ended}`, cpuMs: cpuMs() });
    });
  });
}
