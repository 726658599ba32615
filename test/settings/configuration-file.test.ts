import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationFiles } from '../../src/program/assembly/configuration-files.ts';
import { wires } from '../../src/translation/canonical/wire.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-configuration-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const TEXT = `# ours\nproviders:\n  - id: own # mine\n    wire: openai-chat\n    base_url: http://127.0.0.1:9/v1\n    api_key: sk-of-the-file\n`;

/** Writes a file, and opens it. `refusal`: the reason why it must not be changed. */
function open(text = TEXT, refusal?: string) {
  const file = join(folder, `${crypto.randomUUID()}.yaml`);
  writeFileSync(file, text, { mode: 0o640 });
  return { file, ...openFile(file, refusal) };
}

function openFile(file: string, refusal?: string) {
  const reloads: string[] = [];
  const files = new ConfigurationFiles({
    origin: { file, environment: {}, overrides: {} },
    supportedWires: new Set(wires),
    refusesWrites: async () => refusal,
    reload: async (actor) => {
      reloads.push(actor);
      return { reloaded: true, generation: 2, restart_needed: [], warnings: [] };
    },
  });
  return { files, reloads };
}

test('a change keeps secrets, comments, the mode and a link to the file, and is reloaded', async () => {
  const { file, files, reloads } = open();
  const shown = await files.show();
  expect(shown.text).not.toContain('sk-of-the-file');
  expect({ isWritable: shown.isWritable, reason: shown.reason }).toEqual({ isWritable: true, reason: null });
  const text = shown.text!.replace('own # mine', 'renamed # mine');
  expect(await files.check(text)).toEqual([]);
  expect(await files.write({ text, hash: shown.hash!, actor: 'ada' })).toMatchObject({ kind: 'written' });
  expect(readFileSync(file, 'utf8')).toBe(TEXT.replace('own # mine', 'renamed # mine'));
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(reloads).toEqual(['ada']);
});

test('the target of a link is replaced, not the link', async () => {
  const { file } = open();
  const link = `${file}.link`;
  symlinkSync(file, link);
  const { files } = openFile(link);
  const { text, hash } = await files.show();
  await files.write({ text: `${text}# more\n`, hash: hash!, actor: 'ada' });
  expect(readFileSync(file, 'utf8')).toBe(`${TEXT}# more\n`);
});

test('windows line endings stay', async () => {
  const { file, files } = open(TEXT.replaceAll('\n', '\r\n'));
  const { text, hash } = await files.show();
  const edited = `${text!.replaceAll('\r\n', '\n')}# more\n`;
  expect(await files.write({ text: edited, hash: hash!, actor: 'ada' })).toMatchObject({ kind: 'written' });
  expect(readFileSync(file, 'utf8')).toBe(`${TEXT}# more\n`.replaceAll('\n', '\r\n'));
});

test('problems have their line in a file that is not written', async () => {
  const { file, files, reloads } = open();
  const { text, hash } = await files.show();
  const wrong = text!.replace('openai-chat', 'no-wire');
  const [problem] = await files.check(wrong);
  expect({ file: problem!.file, line: problem!.line }).toEqual({ file, line: 4 });
  expect(JSON.stringify(problem)).not.toContain('sk-of-the-file');
  expect(await files.write({ text: wrong, hash: hash!, actor: 'ada' })).toMatchObject({ kind: 'problems' });
  expect(await files.check(`${text}x: __SECRET_7__\n`)).toHaveLength(1);
  expect({ content: readFileSync(file, 'utf8'), reloads }).toEqual({ content: TEXT, reloads: [] });
});

test('a file that was changed meanwhile is not replaced', async () => {
  const { file, files } = open();
  const { text, hash } = await files.show();
  writeFileSync(file, `${TEXT}# theirs\n`);
  expect(await files.write({ text: text!, hash: hash!, actor: 'ada' })).toEqual({ kind: 'changed' });
  expect(readFileSync(file, 'utf8')).toBe(`${TEXT}# theirs\n`);
});

test('a file that several processes read cannot be written', async () => {
  const { files } = open(TEXT, 'Several processes read it.');
  const { isWritable, reason, hash } = await files.show();
  expect({ isWritable, reason }).toEqual({ isWritable: false, reason: 'Several processes read it.' });
  expect(await files.write({ text: TEXT, hash: hash!, actor: 'ada' })).toMatchObject({ kind: 'refused' });
});

test('a file that is not valid is neither shown nor written', async () => {
  const { text, isWritable } = await open('providers: [\n').files.show();
  expect(text).toBeNull();
  expect(isWritable).toBe(false);
});

test('a file that is gone is reported', async () => {
  const { file, files } = open();
  rmSync(file);
  expect((await files.show()).reason).toContain('does not exist');
});
