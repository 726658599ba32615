import { connect, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { crc32 } from 'node:zlib';
import { BASE62 } from '../../src/base/lib/ids.ts';
import { generateKey } from '../../src/money/accounts/key-format.ts';
import { startServer } from '../support/start-server.ts';

// Measures whether the time of a refusal reveals facts about a key. Not a test: it takes some minutes.
// node scripts/run.mjs test/faults/key-timing.ts [--samples 100000]

/** The bound of leakage tests (TVLA). Above it, two kinds of keys can be distinguished by their timing. */
const MAX_T = 4.5;
/** The number of answers for each median. Single times have a long, meaningless tail. */
const GROUP = 100;

/** Measures the time until an answer arrives, with one request after another on one connection. */
class RequestTimer {
  readonly #socket: Socket;
  #answered = () => {};

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.setNoDelay(true);
    this.#socket.on('data', () => this.#answered());
  }

  async timeOf(key: string): Promise<number> {
    const text = `GET /v1/responses/resp_x HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n\r\n`;
    const answered = new Promise<void>((resolve) => {
      this.#answered = resolve;
    });
    const since = performance.now();
    this.#socket.write(text);
    await answered;
    return (performance.now() - since) * 1_000;
  }

  close(): void {
    this.#socket.destroy();
  }
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const varianceOf = (values: readonly number[], mean: number): number =>
  values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);

/** Computes Welch's t of two lists of medians. */
function welch(one: readonly number[], other: readonly number[]): number {
  const a = meanOf(one);
  const b = meanOf(other);
  return (a - b) / Math.sqrt(varianceOf(one, a) / one.length + varianceOf(other, b) / other.length);
}

function withChecksum(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let place = 0; place < 6; place++) {
    checksum = BASE62[rest % 62]! + checksum;
    rest = Math.floor(rest / 62);
  }
  return text + checksum;
}

const { values } = parseArgs({ options: { samples: { type: 'string', default: '100000' } } });
const samples = Number(values.samples);
const server = await startServer({ config: { simulator: { mode: 'off' }, catalog: { default: false } } });
const { key } = await server.createKey('pro');
const revoked = await server.createKey('pro');
await server.admin('DELETE', `/keys/${revoked.id}`);

const other = (character: string): string => (character === 'a' ? 'b' : 'a');
const prefix = key.slice(0, key.indexOf('_') + 1);
/**
 * Changes one character of the random part of the key, with a checksum that fits. No invalid key goes
 * further.
 */
const changedAt = (place: number): string => {
  const at = prefix.length + place;
  return withChecksum(key.slice(0, at) + other(key[at]!) + key.slice(at + 1, -6));
};
const kinds: Record<string, () => string> = {
  'wrong first character': () => changedAt(0),
  'wrong last character': () => changedAt(42),
  unknown: () => generateKey(prefix),
  revoked: () => revoked.key,
};

const timer = new RequestTimer(server.url);
for (let warm = 0; warm < 2_000; warm++) await timer.timeOf(key);
const medians: Record<string, number[]> = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
for (let group = 0; group < samples / GROUP; group++) {
  const times = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]));
  // The kinds alternate, so that other load on the machine affects all of them equally.
  for (let sample = 0; sample < GROUP; sample++)
    for (const [kind, make] of Object.entries(kinds)) times.get(kind)!.push(await timer.timeOf(make()));
  for (const [kind, list] of times) medians[kind]!.push(median(list));
}
timer.close();
await server.stop();

const shown = Object.entries(medians).map(([kind, list]) => `${kind}: ${meanOf(list).toFixed(2)} µs`);
console.log(`${samples} requests of each kind, means of the medians of ${GROUP}:\n  ${shown.join('\n  ')}`);
const names = Object.keys(kinds);
let isLeaking = false;
for (const [index, one] of names.entries())
  for (const another of names.slice(index + 1)) {
    const t = welch(medians[one]!, medians[another]!);
    // The answer says that a key is revoked, so its time reveals nothing. It is only shown.
    const counts = another !== 'revoked';
    isLeaking ||= counts && Math.abs(t) >= MAX_T;
    console.log(`${one} / ${another}: t = ${t.toFixed(2)}${counts ? '' : ' (the answers differ anyway)'}`);
  }
console.log(isLeaking ? `LEAKS: a t of ${MAX_T} or more` : `no t of ${MAX_T} or more`);
process.exit(isLeaking ? 1 : 0);
