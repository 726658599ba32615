import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { sharedRoot } from '../../../src/base/lib/testing/project-root.ts';
import type { ChatWire } from '../wire-models.ts';
import {
  type AnswerFacts,
  answerFixtures,
  type FailureFacts,
  type Fixture,
  failureFixtures,
} from './fixture.ts';

/** An upstream's answer: the text of a whole answer, or the data of a stream's events. */
export type Recording = { name: string; wire: ChatWire; stream: boolean; lines: readonly string[] };
/** A fixture's answer has its facts. A fixture's stream also has the equivalent whole body. */
export type AnswerRecording = Recording & { facts?: AnswerFacts; whole?: string | undefined };
export type FailureRecording = Recording & { facts: FailureFacts };

const root = join(sharedRoot, 'recordings');

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

/** Recordings that are not answers: refused requests, a stream that begins twice, and one of invalid JSON. */
const recordedFailures: readonly [RegExp, FailureFacts][] = [
  [/-error\.json$/, { code: 'invalid_request', status: 400 }],
  [/spliced/, { code: 'upstream_unavailable', never: 'toolu_second' }],
  [/parallel-tool-call-wrapper\.1\.chunks/, { code: 'upstream_unavailable' }],
];

function load(folder: string, file: string): Recording {
  const text = readFileSync(join(root, folder, file), 'utf8');
  const stream = !file.endsWith('.json');
  const lines = stream ? text.split('\n').flatMap((line) => line.replace(/^data: ?/, '') || []) : [text];
  const name = `${folder}/${file}`;
  return { name, wire: folders[folder]!, stream, lines: lines.filter((line) => line !== '[DONE]') };
}

const recorded: readonly Recording[] = (existsSync(root) ? Object.keys(folders) : []).flatMap((folder) =>
  [...new Glob('*.{json,chunks.txt,sse}').scanSync(join(root, folder))]
    .sort()
    .map((file) => load(folder, file)),
);

const failureOf = (name: string): FailureFacts | undefined =>
  recordedFailures.find(([pattern]) => pattern.test(name))?.[1];

/** The recordings of a fixture: its stream and its whole body. */
const recordingsOf = <Facts>({ name, wire, facts, frames, whole }: Fixture<Facts>) => [
  ...(frames.length > 0
    ? [{ name: `${name} (stream)`, wire, stream: true, lines: frames, facts, whole }]
    : []),
  ...(whole === undefined ? [] : [{ name: `${name} (whole)`, wire, stream: false, lines: [whole], facts }]),
];

/** The fixtures' answers, then recorded answers if this machine has them. */
export const recordings: readonly AnswerRecording[] = [
  ...answerFixtures.flatMap(recordingsOf),
  ...recorded.filter(({ name }) => failureOf(name) === undefined),
];

export const noAnswers: readonly FailureRecording[] = [
  ...failureFixtures.flatMap(recordingsOf),
  ...recorded.flatMap((one) => {
    const facts = failureOf(one.name);
    return facts === undefined ? [] : [{ ...one, facts }];
  }),
];
