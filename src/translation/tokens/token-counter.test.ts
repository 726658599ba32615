import { afterAll, describe, expect, test } from 'bun:test';
import { plainRequest } from '../canonical/testing/plain-request.ts';
import { countablesOf } from './countables-of.ts';
import { estimateText } from './estimate-text.ts';
import { findTokenFamily } from './find-token-family.ts';
import { TokenCounter } from './token-counter.ts';

const openai = { upstreamModel: 'gpt-4o', isSimulated: false };
const counter = new TokenCounter();
afterAll(() => counter.close());

const thread = (program: string) => () =>
  new Worker(URL.createObjectURL(new Blob([program], { type: 'application/javascript' })));

const plain = plainRequest({ turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hello world' }] }] });

test('counts as the vocabulary of the model does', async () => {
  expect(await counter.countText('hello world', openai)).toBe(2);
  expect(await counter.countText('', openai)).toBe(0);
  expect(await counter.countText('tiktoken is great!', openai)).toBe(6);
  // No vocabulary has the text as a special token.
  expect(await counter.countText('<|endoftext|>', openai)).toBeGreaterThan(3);
  expect(await counter.countText('hello world', { ...openai, upstreamModel: 'claude-x' })).toBe(3);
});

test('counts the turns, tools and thinking of a request', async () => {
  const base = await counter.countRequest(plain, openai);
  expect(base).toBe(5);
  const system = await counter.countRequest(
    { ...plain, system: [{ kind: 'text', text: 'be brief' }] },
    openai,
  );
  expect(system).toBe(7);
  const tool = { kind: 'function', name: 'weather', description: 'How it is outside.' } as const;
  expect(await counter.countRequest({ ...plain, tools: [tool] }, openai)).toBeGreaterThan(base + 8);
});

test('serves other work while a long text is counted', async () => {
  const counting = counter.countText('The quick brown fox jumps over it. '.repeat(60_000), openai);
  let turns = 0;
  const watch = setInterval(() => turns++, 1);
  expect(await counting).toBe(480_001);
  clearInterval(watch);
  expect(turns).toBeGreaterThan(5);
});

test('counts an endless word in time proportional to its length', async () => {
  expect(await counter.countText('a'.repeat(400_000), openai)).toBe(50_000);
});

describe('falls back to an estimate', () => {
  const guess = estimateText('hello world', findTokenFamily(openai).vocabulary);
  const faults: [string, () => Worker][] = [
    ['the thread crashes', thread('onmessage = () => { throw new Error("crash"); }')],
    ['the thread ends', thread('onmessage = () => process.exit(3)')],
    ['the thread hangs', thread('onmessage = () => { for (;;); }')],
    ['the thread fails', thread('onmessage = () => postMessage({})')],
    ['no thread can be started', () => new Worker('/nowhere/at-all.ts')],
  ];

  test.each(faults)('if %s, for every waiting text', async (_, start) => {
    const failing = new TokenCounter({ start, timeoutMs: 200 });
    const texts = ['hello world', 'hello world', 'hello world'];
    expect(await Promise.all(texts.map((text) => failing.countText(text, openai)))).toEqual([
      guess,
      guess,
      guess,
    ]);
    failing.close();
  });

  test('if too many counts wait or the counter is closed', async () => {
    const busy = new TokenCounter({ start: thread('onmessage = () => {}') });
    const counts = Array.from({ length: 100 }, () => busy.countText('hello world', openai));
    expect(await counts.at(-1)).toBe(guess);
    busy.close();
    expect(new Set(await Promise.all(counts))).toEqual(new Set([guess]));
    expect(await busy.countText('hello world', openai)).toBe(guess);
  });

  test('and counts the next text exactly again', async () => {
    let starts = 0;
    const program =
      'onmessage = () => { if (NUMBER > 1) postMessage({ counted: { tokens: [42], read: 11, tookMs: 1 } }); else throw new Error(); }';
    const start = () => thread(program.replace('NUMBER', String(++starts)))();
    const recovering = new TokenCounter({ start });
    expect(await recovering.countText('hello world', openai)).toBe(guess);
    expect(await recovering.countText('hello world', openai)).toBe(42);
    recovering.close();
  });
});

test('an idle thread does not keep the program alive', async () => {
  const program = `
    import { TokenCounter } from '${new URL('./token-counter.ts', import.meta.url).pathname}';
    console.log(await new TokenCounter().countText('hello world', ${JSON.stringify(openai)}));`;
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe' });
  expect(await new Response(child.stdout).text()).toBe('2\n');
  expect(await child.exited).toBe(0);
});

test('counts every kind of part', () => {
  const base64 = (data: string, mediaType: string) => ({ kind: 'base64', mediaType, data }) as const;
  const family = findTokenFamily(openai);
  const countables = countablesOf(
    {
      ...plain,
      turns: [
        {
          role: 'user',
          parts: [
            { kind: 'image', source: base64('iVBOR', 'image/png'), detail: 'low' },
            { kind: 'document', source: base64('JVBERi0', 'application/pdf'), title: 'Title' },
            { kind: 'document', source: { kind: 'text', text: 'words' }, context: 'about' },
            { kind: 'audio', source: base64('UklGR', 'audio/wav') },
            { kind: 'tool-call', callId: 'c', name: 'look', input: { kind: 'json', text: '{"a":1}' } },
            { kind: 'tool-result', callId: 'c', content: [{ kind: 'text', text: 'seen' }] },
            { kind: 'redacted-thinking', replay: { issuer: 'messages', data: 'x'.repeat(60) } },
            { kind: 'opaque', issuer: 'messages', block: { type: 'new' } },
          ],
        },
      ],
    },
    family,
  );
  expect(countables).toEqual([
    { kind: 'tokens', tokens: 3 },
    { kind: 'image', data: 'iVBOR', detail: 'low' },
    { kind: 'text', text: 'Title' },
    { kind: 'pdf', data: 'JVBERi0' },
    { kind: 'text', text: 'about' },
    { kind: 'text', text: 'words' },
    { kind: 'audio', data: 'UklGR', isWav: true },
    { kind: 'text', text: 'look' },
    { kind: 'text', text: '{"a":1}' },
    { kind: 'text', text: 'seen' },
    { kind: 'tokens', tokens: 10 },
    { kind: 'text', text: '{"type":"new"}' },
  ]);
});
