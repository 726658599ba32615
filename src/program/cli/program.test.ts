import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { waitFor } from '../../../test/support/wait-for.ts';

const program = join(import.meta.dir, '../../../bin/tollgate');

async function run(...args: string[]) {
  const child = Bun.spawn([program, ...args], { stdout: 'pipe', stderr: 'pipe', stdin: 'ignore' });
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, stdout, stderr };
}

test('the program exits with 0, 1 or 2 and gives the reason in one line [ADM-13]', async () => {
  const [fine, failed, misused] = await Promise.all([
    run('--version'),
    run('reload', '--url', 'http://127.0.0.1:9', '--admin-token', 'x'),
    run('reload', '--nonsense'),
  ]);
  expect(fine).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+(\+[0-9a-f]{8} \d{4}-\d\d-\d\d)?\n$/),
    stderr: '',
  });
  expect(failed).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^tollgate: cannot reach [^\n]*\n$/),
  });
  expect(misused).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^tollgate: unknown option [^\n]*\n$/),
  });
});

test('large output passes through a pipe completely', async () => {
  const { code, stdout } = await run('config', 'schema');
  expect(code).toBe(0);
  expect(JSON.parse(stdout).type).toBe('object');
});

test('a reader that closes the pipe early causes no error', async () => {
  const child = Bun.spawn(['sh', '-c', `"${program}" config schema | head -c 1`], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect({ stdout, stderr }).toEqual({ stdout: '{', stderr: '' });
});

test('a command whose output cannot be written fails with one line [ADM-13]', async () => {
  const child = Bun.spawn(['sh', '-c', `"${program}" config schema > /dev/full`], { stderr: 'pipe' });
  expect(await child.stderr.text()).toMatch(/^tollgate: cannot write to standard output: ENOSPC[^\n]*\n$/);
  expect(await child.exited).toBe(1);
});

test('Ctrl-C ends a command with 130, a simulator too', async () => {
  const silent = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Promise<Response>(() => {}) });
  const waiting = Bun.spawn([program, 'reload', '--url', silent.url.href, '--admin-token', 'x'], {
    stdout: 'ignore',
    stderr: 'ignore',
  });
  await waitFor(() => silent.pendingRequests > 0);
  waiting.kill('SIGINT');
  expect({ exited: await waiting.exited, signalCode: waiting.signalCode }).toEqual({
    exited: 130,
    signalCode: null,
  });
  await silent.stop(true);
  const simulator = Bun.spawn([program, 'simulate', '--port', '0'], { stdout: 'pipe', stderr: 'ignore' });
  await simulator.stdout.getReader().read();
  simulator.kill('SIGINT');
  expect({ exited: await simulator.exited, signalCode: simulator.signalCode }).toEqual({
    exited: 130,
    signalCode: null,
  });
});

test('the simulator runs until it receives SIGTERM [ADM-11]', async () => {
  const child = Bun.spawn([program, 'simulate', '--port', '0', '--json'], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const reader = child.stdout.getReader();
  let text = '';
  while (!text.includes('}')) text += new TextDecoder().decode((await reader.read()).value);
  const { base_url } = JSON.parse(text);
  const answer = await fetch(`${base_url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'hello' }] }),
  });
  expect(answer.status).toBe(200);
  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
});

test.each([
  ['an answer of no', 'n\r', 1],
  ['the end of the input', '\u0004', 1],
  ['Ctrl-C', '\u0003', 130],
] as const)('a question on a terminal takes %s', async (_, keys, code) => {
  let text = '';
  const command = [program, 'key', 'revoke', 'key_1', '--url', 'http://127.0.0.1:9', '--admin-token', 'x'];
  const child = Bun.spawn(command, {
    terminal: {
      data(terminal, chunk) {
        const wasAsked = text.includes('[y/N]');
        text += new TextDecoder().decode(chunk);
        if (!wasAsked && text.includes('[y/N]')) terminal.write(keys);
      },
    },
  });
  expect({ exited: await child.exited, signalCode: child.signalCode }).toEqual({
    exited: code,
    signalCode: null,
  });
});
