import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from '../../codec.ts';

const root = join(import.meta.dir, '../../../../../../shared/recordings');
const folders = ['openai/responses', 'xai/responses', 'open-responses/responses'];

export const haveRecordings = existsSync(root);

if (!haveRecordings) console.log('Recordings of the responses API are not here: their tests are skipped.');

/** Paths of the recordings of this API that end like that. */
export const recordings = (ending: string): string[] =>
  haveRecordings
    ? folders.flatMap((folder) =>
        readdirSync(join(root, folder))
          .filter((name) => name.endsWith(ending))
          .map((name) => `${folder}/${name}`),
      )
    : [];

export const readRecording = (path: string): string => readFileSync(join(root, path), 'utf8');

export const recordedFrames = (path: string): Frame[] =>
  readRecording(path)
    .split('\n')
    .filter((line) => line !== '')
    .map((data) => ({ data }));

/** Bodies that a client sent to this API. */
export function recordedRequests(client: string): Record<string, unknown>[] {
  const folder = join(root, 'clients', client);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const { requests } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      requests?: { url: string; method: string; body: unknown }[];
    };
    return (requests ?? [])
      .filter(({ url, method }) => method === 'POST' && /\/responses(\?|$)/.test(url))
      .map(({ body }) => body as Record<string, unknown>);
  });
}
