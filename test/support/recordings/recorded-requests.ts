import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedRoot } from '../../../src/base/lib/testing/project-root.ts';
import type { Json } from '../call.ts';

const root = join(sharedRoot, 'recordings', 'clients');

/** The path of each dialect, and the fields that shortened recordings lack. */
const dialects: Record<string, { path: RegExp; isWhole: (body: Json) => boolean }> = {
  chat: { path: /\/chat\/completions/, isWhole: ({ messages }) => messages !== undefined },
  messages: { path: /\/messages(\?|$)/, isWhole: ({ model, thread }) => model !== undefined && !thread },
  responses: { path: /\/responses(\?|$)/, isWhole: ({ input }) => input !== undefined },
};

/** Recordings omit the middle of long texts and images. */
const restored = (body: Json): Json =>
  JSON.parse(JSON.stringify(body), (key, value) =>
    key === 'url' && /^data:/.test(value) ? 'data:image/png;base64,A' : value,
  );

/**
 * The recorded request bodies of each client in a dialect. They are empty on a machine without recordings.
 */
export function recordedRequests(dialect: string): [client: string, bodies: Json[]][] {
  const { path, isWhole } = dialects[dialect]!;
  return (existsSync(root) ? readdirSync(root) : [])
    .map((client): [string, Json[]] => [
      client,
      readdirSync(join(root, client))
        .flatMap((file) => JSON.parse(readFileSync(join(root, client, file), 'utf8')).requests ?? [])
        .flatMap(({ url, body }: Json) => (path.test(url) && body && isWhole(body) ? [restored(body)] : [])),
    ])
    .filter(([, bodies]) => bodies.length > 0);
}
