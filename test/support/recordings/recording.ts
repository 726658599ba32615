import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import type { chatWires } from '../wire-models.ts';

export type ChatWire = (typeof chatWires)[number];

/** What a vendor really sent: a whole answer's text, or the data of a stream's events in order. */
export type Recording = { name: string; wire: ChatWire; stream: boolean; lines: readonly string[] };

const root = join(import.meta.dir, '../../../../shared/recordings');

const folders: Record<string, ChatWire> = {
  alibaba: 'openai-chat',
  'deepseek/chat': 'openai-chat',
  groq: 'openai-chat',
  mistral: 'openai-chat',
  moonshotai: 'openai-chat',
  'openai-compatible/chat': 'openai-chat',
  'openai/chat': 'openai-chat',
  xai: 'openai-chat',
  'openai/responses': 'openai-responses',
  'xai/responses': 'openai-responses',
  'open-responses/responses': 'openai-responses',
  anthropic: 'anthropic-messages',
  google: 'google-generate',
  'amazon-bedrock': 'bedrock-converse',
};

/** Refusals of requests, a stream that begins twice and one of broken JSON: these are no answers. */
const NO_ANSWER = /-error\.json$|spliced|parallel-tool-call-wrapper\.1\.chunks/;

export const haveRecordings = existsSync(root);
if (!haveRecordings) console.warn('The recordings are not here: the tests that replay them are skipped.');

function load(folder: string, file: string): Recording {
  const text = readFileSync(join(root, folder, file), 'utf8');
  const stream = !file.endsWith('.json');
  const lines = stream ? text.split('\n').flatMap((line) => line.replace(/^data: ?/, '') || []) : [text];
  const name = `${folder}/${file}`;
  return { name, wire: folders[folder]!, stream, lines: lines.filter((line) => line !== '[DONE]') };
}

const everything: readonly Recording[] = (haveRecordings ? Object.keys(folders) : []).flatMap((folder) =>
  [...new Glob('*.{json,chunks.txt,sse}').scanSync(join(root, folder))]
    .sort()
    .map((file) => load(folder, file)),
);

export const recordings = everything.filter(({ name }) => !NO_ANSWER.test(name));
export const noAnswers = everything.filter(({ name }) => NO_ANSWER.test(name));
