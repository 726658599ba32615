import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '../../../store/sqlite/testing/temporary-directory.ts';
import { runCaptured } from '../testing/run-captured.ts';
import { idsIn, readSdkModels } from './sdk-models.ts';

const { directory, remove } = temporaryDirectory();
afterAll(remove);

function write(path: string, text: string): string {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test('the default catalog resolves every text model of the official SDKs and of the AI SDK', async () => {
  const { ids } = await readSdkModels([import.meta.dirname]);
  expect(ids.length).toBeGreaterThan(100);
  expect(ids).toEqual(expect.arrayContaining(['claude-haiku-4-5', 'gpt-4o', 'text-embedding-ada-002']));
  expect(await runCaptured(['catalog', 'check', '--sdks'])).toEqual({ code: 0, printed: '', remarked: '' });
});

test('catalog check --sdks fails with one missing id a line', async () => {
  const row = { id: 'gpt-4o', context_window: 1_000, pricing_usd_per_mtok: { input: 1, output: 1 } };
  const catalog = { default: false, models: [row], handles: { 'gpt-4': 'gpt-4o' } };
  const file = write('lean.yaml', `catalog: ${JSON.stringify(catalog)}`);
  const { code, printed, remarked } = await runCaptured(['catalog', 'check', file, '--sdks']);
  const lines = printed.split('\n');
  expect({ code, remarked }).toEqual({ code: 1, remarked: '' });
  expect(lines).toContain('gpt-4o-mini');
  expect(lines).not.toContain('gpt-4o');
  expect(lines).not.toContain('gpt-4');
  const asJson = JSON.parse((await runCaptured(['catalog', 'check', file, '--sdks', '--json'])).printed);
  expect(asJson).toEqual({ ok: false, missing: lines });
});

test('SDKs that are not installed, or have no list, are named', async () => {
  expect(await readSdkModels([directory])).toEqual({
    ids: [],
    unread: [],
    absent: ['openai', '@anthropic-ai/sdk'],
  });
  write('node_modules/openai/package.json', '{}');
  write('node_modules/openai/resources/shared.d.ts', "export type ChatModel = 'a-1' | 'gpt-audio';\n");
  const { ids, absent, unread } = await readSdkModels([join(directory, 'node_modules')]);
  expect({ ids, absent }).toEqual({ ids: ['a-1'], absent: ['@anthropic-ai/sdk'] });
  expect(unread).toEqual(['AllModels of openai', 'ResponsesModel of openai', 'EmbeddingModel of openai']);
});

test('a list is a union of texts or the members of an object', () => {
  const types = [
    "export type Model =\n  | 'one'\n  | (string & {})\n  | 'two';",
    "declare const entries: {\n  'a.1': {\n    deep: true;\n  };\n  readonly b: undefined;\n};",
  ].join('\n');
  expect(idsIn(types, 'Model')).toEqual(['one', 'two']);
  expect(idsIn(types, 'entries')).toEqual(['a.1', 'b']);
  expect(idsIn(types, 'Other')).toEqual([]);
});
