import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WAIT_MS = 60_000;
const POLL_MS = 50;

/** Starts a program, and returns how to stop it and how to read its output. */
export function startProcess(program, args, options = {}) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text;
    });
  const ended = new Promise((resolve) => {
    child.on('exit', (code) => resolve(code));
    child.on('error', (error) => {
      output += error.message;
      resolve(1);
    });
  });
  return {
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Waits until a function returns a value that is not undefined. */
export async function waitUntil(read, what) {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; ) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`not so after ${WAIT_MS / 1_000} s: ${what}`);
}

/** Waits until a gateway has written its address into its data directory, and returns the address. */
export function addressOf(server, data) {
  const path = join(data, 'address');
  return waitUntil(() => {
    if (server.hasEnded()) throw new Error(`the server did not start: ${server.output()}`);
    return (existsSync(path) && readFileSync(path, 'utf8').trim()) || undefined;
  }, 'the server has started');
}
