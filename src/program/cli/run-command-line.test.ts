import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import packageFile from '../../../package.json' with { type: 'json' };
import { asSentence } from '../../base/lib/as-sentence.ts';
import { commands } from './commands.ts';
import { runCaptured } from './testing/run-captured.ts';

/** Commands that run until a signal and print no data. */
const withoutJson = new Set(['serve']);

describe('every command', () => {
  for (const command of commands) {
    test(`${command.name} prints its help [ADM-06]`, async () => {
      for (const args of [`${command.name} --help`, `${command.name} x y z -h`, `help ${command.name}`]) {
        const { code, printed, remarked } = await runCaptured(args.split(' '));
        expect({ code, remarked }).toEqual({ code: 0, remarked: '' });
        expect(printed).toStartWith(command.summary);
        for (const option of Object.keys(command.options ?? {})) expect(printed).toContain(`--${option}`);
        for (const { name } of command.positionals ?? []) expect(printed).toContain(name);
      }
    });

    test(`${command.name} can be loaded`, async () => {
      expect(await command.load()).toBeFunction();
    });

    if (!withoutJson.has(command.name)) {
      test(`${command.name} has --json [ADM-06]`, () => {
        expect(command.options?.json?.kind).toBe('flag');
      });
    }

    test(`${command.name} refuses an option that it does not have [ADM-13]`, async () => {
      const { code, remarked } = await runCaptured([...command.name.split(' '), '--nonsense-option']);
      expect(code).toBe(2);
      expect(remarked).toBe(
        `tollgate: unknown option --nonsense-option (see 'tollgate ${command.name} --help').`,
      );
    });
  }
});

test('no command name is a prefix of another one', () => {
  for (const { name } of commands) {
    const earlier = commands.find((command) => name.startsWith(`${command.name} `));
    expect(earlier).toBeUndefined();
  }
});

describe('the program', () => {
  const isCheckout = existsSync(join(import.meta.dir, '../../../.git')) && Bun.which('git') !== null;

  test.skipIf(!isCheckout)(
    'prints its version with the commit of the checkout and its day [ADM-52]',
    async () => {
      const git = (...args: string[]) =>
        Bun.spawnSync(['git', ...args], { cwd: import.meta.dir, env: { ...process.env, TZ: 'UTC' } })
          .stdout.toString()
          .trim();
      const [commit, day] = git('log', '-1', '--format=%H %cd', '--date=format-local:%Y-%m-%d').split(' ');
      expect(commit).toMatch(/^[0-9a-f]{40}$/);
      for (const word of ['--version', 'version']) {
        const printed = `${packageFile.version}+${commit!.slice(0, 8)} ${day}`;
        expect(await runCaptured([word])).toEqual({ code: 0, printed, remarked: '' });
      }
    },
  );

  test('lists all commands or those of a group for --help [ADM-06]', async () => {
    for (const args of [['--help'], ['-h'], ['help']]) {
      const { code, printed } = await runCaptured(args);
      expect(code).toBe(0);
      for (const { name } of commands) expect(printed).toContain(`  ${name} `);
    }
    for (const args of [
      ['key', '--help'],
      ['help', 'key'],
    ]) {
      const { code, printed } = await runCaptured(args);
      expect(code).toBe(0);
      expect(printed).toContain('key revoke');
      expect(printed).not.toContain('account create');
    }
  });

  test('prints the list of commands as an error if no command is given [ADM-13]', async () => {
    for (const args of [[], ['account']]) {
      const { code, printed, remarked } = await runCaptured(args);
      expect({ code, printed }).toEqual({ code: 2, printed: '' });
      expect(remarked).toStartWith('Usage: tollgate');
    }
  });

  const wrong: [string, string][] = [
    ['acount list', "unknown command 'acount'; did you mean 'tollgate account'?"],
    ['account lst', "unknown command 'account lst'; did you mean 'tollgate account list'?"],
    ['help acount', "unknown command 'acount'; did you mean 'tollgate account'?"],
    ['qqqqqqqqqqq', "unknown command 'qqqqqqqqqqq'; see 'tollgate --help'"],
    ['--jsn', 'unknown option --jsn'],
    ['key list', "ACCOUNT is missing (see 'tollgate key list --help')"],
    ['key list a b', "unexpected 'b' (see 'tollgate key list --help')"],
    ['account create', "NAME is missing (see 'tollgate account create --help')"],
    ['account list --jsn', "unknown option --jsn; did you mean --json? (see 'tollgate account list --help')"],
    ['account list --limit', "--limit needs a value (see 'tollgate account list --help')"],
    ['account list --limit --json', "--limit needs a value (see 'tollgate account list --help')"],
    ['account list --json=1', "--json takes no value (see 'tollgate account list --help')"],
    [
      'account list --limit 5000',
      "--limit must be a whole number of results from 1 to 1000, not '5000' (see 'tollgate account list --help')",
    ],
    [
      'serve --port http',
      "--port must be an integer from 0 to 65535, not 'http' (see 'tollgate serve --help')",
    ],
    [
      'serve --workers 1.5',
      "--workers must be a whole number of processes from 1 to 256, not '1.5' (see 'tollgate serve --help')",
    ],
    [
      'account grant a lots',
      "CREDITS must be a number above 0 and at most 1000000000, not 'lots' (see 'tollgate account grant --help')",
    ],
    [
      'account grant a 1000000001',
      "CREDITS must be a number above 0 and at most 1000000000, not '1000000001' (see 'tollgate account grant --help')",
    ],
    [
      'account purchase a 2e7',
      "USD must be a number above 0 and at most 2000000, not '2e7' (see 'tollgate account purchase --help')",
    ],
    [
      'key create a --monthly-cap 2000001',
      "--monthly-cap must be a number of USD from 0 to 2000000, not '2000001' (see 'tollgate key create --help')",
    ],
    ['config check', "FILE is missing, and TOLLGATE_CONFIG is not set (see 'tollgate config check --help')"],
  ];
  for (const [line, reason] of wrong) {
    test(`refuses '${line}' with one line that names the problem [ADM-13] [CRD-48]`, async () => {
      const outcome = await runCaptured(line.split(' '));
      expect(outcome).toEqual({ code: 2, printed: '', remarked: asSentence(`tollgate: ${reason}`) });
    });
  }

  test('lists the plans if the given plan is unknown [ADM-13]', async () => {
    const { code, remarked } = await runCaptured(['account', 'set-plan', 'a', 'gold']);
    expect(code).toBe(2);
    expect(remarked).toContain('free, launch, starter, pro, max, scale, payg or enterprise');
  });
});
