import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { commandsOf, readDocuments, scriptsOf, splitScript } from '../support/documented-commands.ts';
import { findCommandFault } from '../support/find-command-fault.ts';
import { startServer } from '../support/start-server.ts';

const root = join(import.meta.dir, '..', '..');
const documents = readDocuments(root);
const scripts = documents.flatMap(scriptsOf);
const fault = (line: string): string | undefined => findCommandFault(splitScript(line)[0] ?? []);

describe('the check of documented commands', () => {
  test.each([
    'npm start -- --port 9000 --data /var/lib/tollgate',
    'OPENAI_API_KEY=sk-… npm start',
    'npm test -- src/program/cli',
    'npm run format',
    'bin/tollgate account create "Ada Lovelace" --plan pro',
    'bin/tollgate account create NAME --plan PLAN',
    'bin/tollgate batch show ID --watch',
    'node scripts/run.mjs test/holds/fuzz.ts --tries 100000 [--seed N]',
  ])('accepts %s', (line) => expect(fault(line)).toBeUndefined());

  test.each([
    'bun test/holds/fuzz.ts',
    'npx bun test',
    'sqlite3 tollgate.db .backup',
    'tollgate doctor',
    'npm start -- --prot 9000',
    'npm test -- src/no-such-folder',
    'npm test -- --no-such-flag',
    'npm run no-such-script',
    'bin/tollgate account invent NAME',
    'bin/tollgate account create "Ada" --plan gold',
    'bin/tollgate account create Ada Lovelace',
    'bin/tollgate provider drain',
    'bin/tollgate batch list --no-such-flag',
    'node scripts/no-such-script.mjs',
    'node scripts/run.mjs test/holds/fuzz.ts --no-such-flag 3',
  ])('refuses %s', (line) => expect(fault(line)).toBeString());

  test('accepts tools that a document needs, and checks the arguments of installed commands there', () => {
    const inDeployment = (line: string) => findCommandFault(splitScript(line)[0] ?? [], 'docs/deployment.md');
    expect(inDeployment('sudo systemctl reload tollgate')).toBeUndefined();
    expect(inDeployment('tollgate account create "Ada" --plan pro')).toBeUndefined();
    expect(inDeployment('tollgate account invent NAME')).toBeString();
    expect(inDeployment('sudo apk add tollgate')).toBeString();
  });

  test('finds commands in shell blocks, in console blocks after $, and in running text', () => {
    const text = [
      'Run `npm test',
      '-- src/program/cli`, or see `package.json`.',
      '',
      '   ```sh run',
      '   npm ci && bin/tollgate doctor # a remark',
      '   ```',
      '```console',
      '$ npm start',
      'Tollgate is ready.',
      '```',
      '```js',
      'npm(1);',
      '```',
    ].join('\n'); // prettier-ignore
    const found = commandsOf({ path: 'a.md', text }).map(({ place, words }) => `${place} ${words.join(' ')}`);
    expect(found).toEqual([
      'a.md:4 npm ci',
      'a.md:4 bin/tollgate doctor',
      'a.md:7 npm start',
      'a.md:1 npm test -- src/program/cli',
    ]);
    expect(scriptsOf({ path: 'a.md', text }).map(({ isRunnable }) => isRunnable)).toEqual([true, false]);
  });
});

test('every documented command exists, with its flags, on a machine with only Node and npm', () => {
  const all = documents.flatMap(commandsOf);
  expect(all.length).toBeGreaterThan(20);
  const faults = all.flatMap(({ place, words }) => {
    const found = findCommandFault(words, place.split(':')[0]);
    return found === undefined ? [] : [`${place}: ${words.join(' ')}: ${found}`];
  });
  expect(faults).toEqual([]);
});

test('every shell block in a document is valid shell', () => {
  const faults = scripts.flatMap(({ place, text }) => {
    const { success, stderr } = Bun.spawnSync(['bash', '-n', '-c', text]);
    return success ? [] : [`${place}: ${stderr}`];
  });
  expect(faults).toEqual([]);
});

describe('a runnable block of a document', async () => {
  const server = await startServer();
  afterAll(server.stop);
  const runnable = scripts.filter(({ isRunnable }) => isRunnable);
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DATA_DIR: server.dataDirectory,
    TOLLGATE_URL: server.url,
    TOLLGATE_KEY: server.firstKey,
  };

  test('exists', () => expect(runnable.length).toBeGreaterThan(0));

  for (const { place, text } of runnable)
    test(`runs as documented (${place})`, () => {
      const { exitCode, stdout, stderr } = Bun.spawnSync(['bash', '-euo', 'pipefail', '-c', text], {
        cwd: root,
        env: environment,
      });
      expect({ exitCode, output: exitCode === 0 ? '' : `${stdout}${stderr}` }).toEqual({
        exitCode: 0,
        output: '',
      });
    });
});
