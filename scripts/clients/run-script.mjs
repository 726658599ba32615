import { spawn } from 'node:child_process';

/** The last output can arrive after the end of the process. */
const LAST_OUTPUT_MS = 100;

/** The functions that end the scripts under way. They are called when this process exits. */
const running = new Set();
process.once('exit', () => {
  for (const end of running) end();
});

/** Runs a shell script to its end. A process that keeps the output open does not delay the result. */
export function runScript(script, { folder, environment, timeoutMs }) {
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
    const end = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The group has already ended.
      }
    };
    const late = () => {
      output += `\nstopped after ${timeoutMs / 1_000} s`;
      end();
    };
    const timer = setTimeout(late, timeoutMs);
    running.add(end);
    child.on('exit', (code) => {
      clearTimeout(timer);
      running.delete(end);
      setTimeout(() => resolve({ code, output }), LAST_OUTPUT_MS);
    });
  });
}
