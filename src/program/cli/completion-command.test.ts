import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from './commands.ts';
import { runCaptured } from './testing/run-captured.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-completion-'));
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) =>
    Response.json({ data: [{ id: `${new URL(request.url).pathname}/1` }, { id: 'two' }], has_more: false }),
});
afterAll(async () => {
  await server.stop(true);
  rmSync(directory, { recursive: true });
});

const scriptOf = async (shell: string): Promise<string> => (await runCaptured(['completion', shell])).printed;

/** Completes lines in bash. `tollgate` is a program that knows two models and shows what it was asked for. */
async function completeInBash(lines: readonly string[]): Promise<Record<string, string>> {
  const program = join(directory, 'tollgate');
  writeFileSync(program, '#!/bin/sh\necho "@svc/test-small" "@svc/test:other" "$3-asked"\n');
  chmodSync(program, 0o755);
  writeFileSync(join(directory, 'completion'), await scriptOf('bash'));
  const script = `set -u
    source ${directory}/completion
    complete -p tollgate >&2
    while IFS= read -r line; do
      COMP_LINE="$line" COMP_POINT=\${#line} COMP_WORDS=(tollgate) COMPREPLY=()
      _tollgate
      echo "\${COMPREPLY[*]-}"
    done`;
  const environment = { PATH: `${directory}:${process.env.PATH}`, HOME: directory };
  const { stdout, stderr, exitCode } = Bun.spawnSync(['bash', '-c', script], {
    cwd: directory,
    env: environment,
    stdin: Buffer.from(lines.map((line) => `${line}\n`).join('')),
  });
  expect({ exitCode, stderr: String(stderr).trim() }).toEqual({
    exitCode: 0,
    stderr: 'complete -F _tollgate tollgate',
  });
  const replies = String(stdout).split('\n');
  return Object.fromEntries(lines.map((line, index) => [line, replies[index]!]));
}

describe('the completion for bash', () => {
  test('offers commands with their options, values, files and ids', async () => {
    const expected: Record<string, string> = {
      'tollgate ac': 'account',
      'tollgate account set': 'set-plan',
      'tollgate help batch ': 'list show',
      'tollgate account set-plan acct_1 p': 'pro payg',
      'tollgate account create Ada --plan p': 'pro payg',
      'tollgate account list --lim': '--limit',
      'tollgate account list --limit ': '',
      'tollgate account list --json --cs': '--csv',
      'tollgate serve --config comp': 'completion',
      'tollgate provider drain prov': 'providers-asked',
      'tollgate requests list --account acc': 'accounts-asked',
      'tollgate reload --profile prof': 'profiles-asked',
      'tollgate nonsense ': '',
    };
    expect(await completeInBash(Object.keys(expected))).toEqual(expected);
  });

  test('continues ids after the characters at which bash cuts words', async () => {
    expect(
      await completeInBash(['tollgate models test @svc/test-', 'tollgate models test @svc/test:o']),
    ).toEqual({
      'tollgate models test @svc/test-': 'svc/test-small',
      'tollgate models test @svc/test:o': 'other',
    });
  });

  test('runs nothing that an id contains', async () => {
    writeFileSync(join(directory, 'evil'), '');
    const program = `#!/bin/sh\necho 'x$(rm evil)y' 'x\`rm evil\`z'\n`;
    const replies = await completeInBash(['tollgate models test x']);
    expect(replies['tollgate models test x']).toBe('');
    writeFileSync(join(directory, 'tollgate'), program);
    const script = `source ${directory}/completion; line='tollgate models test x'
      COMP_LINE="$line" COMP_POINT=\${#line}; _tollgate; ls evil`;
    const { exitCode } = Bun.spawnSync(['bash', '-c', script], {
      cwd: directory,
      env: { PATH: `${directory}:${process.env.PATH}`, HOME: directory },
    });
    expect(exitCode).toBe(0);
  });
});

test('the completions for all shells name every command and every option', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = await scriptOf(shell);
    for (const { name, options } of commands) {
      for (const word of name.split(' ')) expect(script).toContain(word);
      for (const option of Object.keys(options ?? {}))
        expect([shell, option, script.includes(shell === 'fish' ? `-l ${option}` : `--${option}`)]).toEqual([
          shell,
          option,
          true,
        ]);
    }
  }
});

test('the words of the table need no quotes in a shell', () => {
  const texts = commands.flatMap(({ name, options = {}, positionals = [] }) => [
    name,
    ...Object.keys(options),
    ...Object.values(options).flatMap(({ choices = [] }) => choices),
    ...positionals.flatMap(({ choices = [] }) => choices),
  ]);
  expect(texts.filter((text) => !/^[\w -]+$/.test(text))).toEqual([]);
});

test('the ids of a server are printed one on a line', async () => {
  const access = ['--url', server.url.href, '--admin-token', 't'];
  const { code, printed } = await runCaptured(['completion', '--ids', 'models', ...access]);
  expect({ code, printed }).toEqual({ code: 0, printed: '/admin/v1/catalog/1\ntwo' });
});

test('one of three shells must be given', async () => {
  expect((await runCaptured(['completion'])).remarked).toContain('SHELL is missing');
  const { code, remarked } = await runCaptured(['completion', 'tcsh']);
  expect({ code, remarked }).toEqual({
    code: 2,
    remarked: expect.stringContaining("bash, zsh or fish, not 'tcsh'"),
  });
});
