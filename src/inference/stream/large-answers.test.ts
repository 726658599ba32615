import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import { MEGABYTE } from '../../base/lib/units.ts';
import { YieldQueue } from '../../base/lib/yield-queue.ts';
import type {
  LargeAnswerMessage,
  LargeAnswerOrder,
  LargeAnswerReply,
} from '../../translation/contract/large-answer.ts';
import { type AnswerThread, LargeAnswers } from './large-answers.ts';

/** A thread that returns the bytes that it received, or ends. */
class FakeThread implements AnswerThread {
  readonly #note: (seen: string) => void;
  #bytes: number[] = [];
  #pieces: Uint8Array[] = [];
  onmessage: AnswerThread['onmessage'] = null;
  onerror: AnswerThread['onerror'] = null;
  onclose: (() => void) | undefined;

  constructor(note: (seen: string) => void) {
    this.#note = note;
  }

  postMessage(message: LargeAnswerMessage): void {
    if ('piece' in message) {
      this.#bytes.push(message.piece.byteLength);
      this.#pieces.push(message.piece);
      return;
    }
    const { dialect } = message.order as { dialect: string };
    this.#note(`${dialect}: ${this.#bytes.join(' ')}`);
    if (dialect === 'ends') return void setImmediate(() => this.onclose?.());
    if (dialect === 'hangs') return;
    const bytes = new Uint8Array(Buffer.concat(this.#pieces));
    const made = { bytes, usage: { input: { uncached: 1 }, output: { visible: 1 } } };
    const reply: LargeAnswerReply = { kind: 'made', made };
    const event = new MessageEvent('message', { data: reply });
    setImmediate(() => this.onmessage?.call(this as unknown as Worker, event));
  }

  terminate(): void {
    this.#note('terminated');
  }

  unref(): void {}

  addEventListener(_type: string, listener: unknown): void {
    this.onclose = listener as () => void;
  }
}

const orderOf = (dialect: string) => () => partial<LargeAnswerOrder>({ dialect });

function start(timeoutMs?: number) {
  const seen: string[] = [];
  const threads = () => new FakeThread((what) => seen.push(what));
  const parts = {
    start: threads,
    yieldQueue: new YieldQueue(),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  return { seen, answers: new LargeAnswers(parts) };
}

test('gives other requests a turn between the parts of a large answer that its thread gets', async () => {
  const { seen, answers } = start();
  const whole = Buffer.from(Array.from({ length: 4 * MEGABYTE }, (_, at) => at % 251));
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const pieces = [whole.subarray(0, 7), whole.subarray(7, 3 * MEGABYTE), whole.subarray(3 * MEGABYTE)];
  const { bytes } = await answers.read('a', pieces, orderOf('chat'));
  isOver = true;
  expect(Buffer.from(bytes).equals(whole)).toBe(true);
  expect(seen[0]).toBe(`chat: ${Array.from({ length: 8 }, () => MEGABYTE / 2).join(' ')}`);
  expect(turns).toBeGreaterThanOrEqual(8);
  expect(seen.at(-1)).toBe('terminated');
  expect(pieces).toEqual([]);
});

test('serves the accounts in turn, however many large answers each has waiting', async () => {
  const { seen, answers } = start();
  const read = (account: string, name: string) => answers.read(account, [new Uint8Array(1)], orderOf(name));
  await Promise.all([read('a', 'a1'), read('a', 'a2'), read('a', 'a3'), read('b', 'b1')]);
  expect(seen.filter((what) => what !== 'terminated').map((what) => what.slice(0, 2))).toEqual([
    'a1',
    'a2',
    'b1',
    'a3',
  ]);
});

test('fails only the current answer when its thread ends', async () => {
  const { answers } = start();
  const read = (name: string) => answers.read('a', [new Uint8Array(1)], orderOf(name));
  await expect(read('ends')).rejects.toThrow('ended');
  expect((await read('chat')).bytes.byteLength).toBe(1);
});

test('fails a large answer that takes too long', async () => {
  const { seen, answers } = start(1);
  await expect(answers.read('a', [new Uint8Array(1)], orderOf('hangs'))).rejects.toThrow('too long');
  expect(seen.at(-1)).toBe('terminated');
});

test('fails large answers at once when the server stops', async () => {
  const { answers } = start();
  const reading = answers.read('a', [new Uint8Array(1)], orderOf('hangs'));
  await Bun.sleep(5);
  answers.close();
  await expect(reading).rejects.toThrow('stopping');
  await expect(answers.read('a', [], orderOf('chat'))).rejects.toThrow('stopping');
});
