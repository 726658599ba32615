import { afterEach, describe, expect, test } from 'bun:test';
import type { CountTurn } from './count-turn.ts';
import { estimateText } from './estimate-text.ts';
import { TextBag } from './text-bag.ts';
import { TokenCounter } from './token-counter.ts';

const openai = { upstreamModel: 'gpt-4o', isSimulated: false };
const LONG = 'y'.repeat(9_000_000);
const NEVER = 60_000;

/** Threads: one counts every character as a token, another never answers. */
const programs = {
  counts: `onmessage = ({ data: { parts } }) => postMessage({
    counted: { tokens: parts.map((part) => part.length), read: parts.at(-1).length, tookMs: 0 },
  })`,
  hangs: 'onmessage = () => {}',
};

let counters: TokenCounter[] = [];
afterEach(() => {
  for (const counter of counters) counter.close();
  counters = [];
});

type Options = { program?: keyof typeof programs; patienceMs?: number; timeoutMs?: number };

function startCounter({ program = 'counts', patienceMs = NEVER, timeoutMs = NEVER }: Options = {}) {
  const turns: CountTurn[] = [];
  const start = () => {
    const code = new Blob([programs[program]], { type: 'application/javascript' });
    const thread = new Worker(URL.createObjectURL(code));
    const post = thread.postMessage.bind(thread);
    thread.postMessage = (turn: CountTurn) => {
      turns.push(turn);
      post(turn);
    };
    return thread;
  };
  const counter = new TokenCounter({ start, patienceMs, timeoutMs });
  counters.push(counter);
  const by = (account: string, signal?: AbortSignal) =>
    counter.for({ account, ...(signal && { request: new Request('http://client.test', { signal }) }) });
  return { counter, by, turns };
}

function hold(counter: TokenCounter, text: string): Promise<number | undefined> {
  const bag = new TextBag();
  bag.add(text);
  return Promise.resolve(counter.boundTexts(bag, 'o200k', 1e9));
}

/** Returns the names in the order in which their work finishes. */
async function orderOf(work: Record<string, Promise<unknown>>): Promise<string[]> {
  const done: string[] = [];
  await Promise.all(Object.entries(work).map(([name, ends]) => ends.then(() => done.push(name))));
  return done;
}

describe('accounts take turns', () => {
  test('finishes a count and a hold of one account before the long counts of another', async () => {
    const { by } = startCounter();
    const work = {
      long1: by('attacker').countText(LONG, openai),
      long2: by('attacker').countText(LONG, openai),
      long3: by('attacker').countText(LONG, openai),
      long4: by('attacker').countText(LONG, openai),
      count: by('bystander').countText('hello world', openai),
      hold: hold(by('bystander'), 'hello there'),
    };
    expect(await orderOf(work)).toEqual(['hold', 'count', 'long1', 'long2', 'long3', 'long4']);
    expect(await Promise.all([work.long4, work.count, work.hold])).toEqual([LONG.length, 11, 11]);
  });

  test('finishes a hold before all counts that are not for holds', async () => {
    const { by } = startCounter();
    const work = {
      count: by('third').countText(LONG, openai),
      long1: hold(by('attacker'), LONG),
      long2: hold(by('attacker'), `${LONG}!`),
      hold: hold(by('bystander'), 'hello'),
    };
    expect(await orderOf(work)).toEqual(['hold', 'long1', 'long2', 'count']);
  });

  test('an account that fills its queue leaves room in the queues of others', async () => {
    const { by, counter } = startCounter({ program: 'hangs' });
    for (let n = 0; n < 64; n++) void by('attacker').countText('hello world', openai);
    const beyond = by('attacker').countText('hello world', openai);
    const other = by('bystander').countText('hello world', openai);
    expect(await Promise.race([other, beyond.then(() => 'estimated')])).toBe('estimated');
    counter.close();
    await other;
  });
});

describe('a client that leaves', () => {
  test('cancels its waiting count', async () => {
    const { by, turns } = startCounter();
    const leaving = new AbortController();
    const first = by('a').countText('first', openai);
    const second = by('a', leaving.signal).countText('second', openai);
    const third = by('a').countText('third', openai);
    leaving.abort();
    await Promise.all([first, second, third]);
    expect(turns.map(({ parts }) => parts[0])).toEqual(['first', 'third']);
  });

  test('cancels the rest of a count that has begun', async () => {
    const { by, turns } = startCounter();
    const leaving = new AbortController();
    const first = by('a', leaving.signal).countText(LONG, openai);
    leaving.abort();
    await first;
    expect(await by('a').countText('next', openai)).toBe(4);
    expect(turns).toHaveLength(2);
  });

  test('does not queue a count if it left before', async () => {
    const { by, turns } = startCounter();
    await by('a', AbortSignal.abort()).countText('hello', openai);
    expect(turns).toHaveLength(0);
  });
});

describe('a count that waits too long', () => {
  const guess = estimateText('hello world', 'o200k');

  test('becomes an estimate, while a count that has begun continues', async () => {
    const { by, counter } = startCounter({ program: 'hangs', patienceMs: 5 });
    const first = by('a').countText('begun', openai);
    const second = by('b').countText('hello world', openai);
    expect(await Promise.race([first.then(() => 'first'), second])).toBe(guess);
    counter.close();
    await first;
  });

  test('keeps waiting if no request waits for it', async () => {
    const { by, counter } = startCounter({ program: 'hangs', patienceMs: 5 });
    const first = by('a').countText('begun', openai);
    const patient = counter.for({ account: 'b', isPatient: true }).countText('hello world', openai);
    const second = by('b').countText('hello world', openai);
    expect(await Promise.race([patient.then(() => 'patient'), second])).toBe(guess);
    counter.close();
    await Promise.all([first, patient]);
  });

  test('waits for a count instead of an estimate if it is for a hold', async () => {
    const { by } = startCounter({ program: 'hangs', patienceMs: 5, timeoutMs: 100 });
    const first = by('a').countText('begun', openai);
    const held = hold(by('b'), 'hello world');
    const second = by('c').countText('hello world', openai);
    expect(await Promise.race([held.then(() => 'held'), second])).toBe(guess);
    expect(await held).toBeUndefined();
    await first;
  });
});
