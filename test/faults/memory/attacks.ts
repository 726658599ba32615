import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import { chatBody } from '../../support/call.ts';
import { residentMb } from '../../support/process-memory.ts';
import { askRaw, type RawAnswer } from './ask-raw.ts';
import type { StrainedServer } from './start-strained-server.ts';

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const MEGABYTE = 1024 * 1024;
/** The time without a change of sent bytes and memory after which the server counts as steady. */
const STEADY_MS = 3_000;
const POLL_MS = 100;
const MAX_WAIT_MS = 30_000;
const BODY_BYTES = 9_900_000;

export const bodyOf = (model: string, fields: Record<string, unknown> = {}): Buffer =>
  Buffer.from(JSON.stringify(chatBody(model, { max_tokens: 9, ...fields })));

export const longBody = (): Buffer =>
  bodyOf('quick', { messages: [{ role: 'user', content: 'Words. '.repeat(BODY_BYTES / 7) }] });

/** Sends bodies of 9.9 MB at once. Every other body must be translated. */
export function sendBodies({ server, keyOf }: StrainedServer, times: number): Promise<RawAnswer[]> {
  const body = longBody();
  const asks = Array.from({ length: times }, (_, index) =>
    askRaw({ url: server.url, path: index % 2 ? MESSAGES : CHAT, key: keyOf(index), body }),
  );
  return Promise.all(asks.map(({ answered }) => answered));
}

/** Requests translated whole answers of 60 MB at once. */
export function askForAnswers({ server, keyOf }: StrainedServer, times: number): Promise<RawAnswer[]> {
  const body = bodyOf('whole');
  const asks = Array.from({ length: times }, (_, index) =>
    askRaw({ url: server.url, path: MESSAGES, key: keyOf(index), body }),
  );
  return Promise.all(asks.map(({ answered }) => answered));
}

/**
 * Starts readers of streams of 24 MB that stop after the first piece, and measures the server when all have
 * stopped.
 */
export async function stallReaders({ server, upstream, keyOf }: StrainedServer, times: number) {
  const body = bodyOf('stream', { stream: true });
  const asks = Array.from({ length: times }, (_, index) =>
    askRaw({ url: server.url, path: CHAT, key: keyOf(index), body, stalls: true }),
  );
  await Promise.all(asks.map(({ begun }) => begun));
  let seen = '';
  for (let quietMs = 0, waitedMs = 0; quietMs < STEADY_MS && waitedMs < MAX_WAIT_MS; waitedMs += POLL_MS) {
    // The server still reads what the kernel holds after the upstream has stopped.
    const now = `${upstream.streamedBytes()} ${Math.round(residentMb(server.pid) / 16)}`;
    quietMs = now === seen ? quietMs + POLL_MS : 0;
    seen = now;
    await Bun.sleep(POLL_MS);
  }
  const sentBytes = upstream.streamedBytes();
  const steadyMb = residentMb(server.pid);
  for (const { leave } of asks) leave();
  return { steadyMb, sentMb: sentBytes / MEGABYTE };
}

function nameOf({ status, code }: RawAnswer): string {
  if (status === 0) return 'closed';
  return status === 200 ? '200' : `${status} ${code}`;
}

/** Writes a tally of statuses: `3 × 200, 1 × 503 capacity_unavailable`. */
export function tally(answers: readonly RawAnswer[]): string {
  const counts: Record<string, number> = {};
  for (const answer of answers) countUp(counts, nameOf(answer));
  return Object.entries(counts)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ');
}
