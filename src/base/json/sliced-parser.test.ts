import { expect, test } from 'bun:test';
import { Refusal } from '../errors/refusal.ts';
import { seededRandom } from '../lib/testing/seeded-random.ts';
import { YieldQueue } from '../lib/yield-queue.ts';
import { parseBodyAtOnce, parseBodyInTurns } from './parse-body.ts';

const yieldQueue = new YieldQueue();
const codeOf = (read: unknown) => (read instanceof Refusal ? read.code : 'ok');

/** Checks that both parsers give the same result. */
async function expectSame(text: string) {
  const whole = parseBodyAtOnce(text);
  const sliced = await parseBodyInTurns(text, yieldQueue);
  if (whole instanceof Refusal || sliced instanceof Refusal) {
    if (codeOf(sliced) !== codeOf(whole)) throw new Error(`${codeOf(sliced)} for ${text.slice(0, 200)}`);
    return;
  }
  if (!Bun.deepEquals(sliced.value, whole.value, true))
    throw new Error(`another value of ${text.slice(0, 200)}`);
  expect(JSON.stringify(sliced.value)).toBe(JSON.stringify(whole.value));
  expect([...sliced.members]).toEqual([...whole.members]);
}

const long = 'x'.repeat(40_000);

const texts: Record<string, string> = {
  'one short member': '{"a":1}',
  'no members': '{}',
  'no members, with whitespace': ' \n{ \t} ',
  'a long string': `{"a":"${long}","b":2}`,
  'two long strings in a list': `{"a":["${long}", "${long}" ,3],"b":["${long}"]}`,
  'a long list': `{"a":[${'1,'.repeat(50_000)}2],"b":[]}`,
  'a long list in lists': `{"a":[[0],[[${'[1,"x"],'.repeat(50_000)}{}]],[3]],"b":{"c":null}}`,
  'a long object': `{"a":{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":{"v":[${at}]}`).join(',')}}}`,
  'keys of every kind': `{"__proto__":{"x":"${long}"},"":"${long}","1":2,"0":"${long}","a\\n":"${long}","constructor":1}`,
  'escapes of every length': `{"a":"${'\\n\\u00e9\\\\\\"é😀\\ud83d\\ude00'.repeat(5_000)}"}`,
  'only backslashes': `{"a":"${'\\\\'.repeat(60_000)}"}`,
  'escaped quotes': `{"a":"${'\\"'.repeat(60_000)}","b":1}`,
  'numbers and words': `{"a":[${'-1.5e3,true,false,null,'.repeat(10_000)}0]}`,
  whitespace: `{ "a" :${' '.repeat(70_000)}[ "${long}"${'\n'.repeat(70_000)}] , "b" : "${long}" }\r\n`,
};

for (const [name, text] of Object.entries(texts)) {
  test(`parses text with ${name} in slices as in one run`, () => expectSame(text));
}

const faults: Record<string, string> = {
  'an extra comma': `{"a":["${long}",]}`,
  'an extra comma in an object': `{"a":"${long}",}`,
  'a leading comma': `{"a":[,"${long}"]}`,
  'two commas in a row': `{"a":["${long}",,1]}`,
  'no comma': `{"a":["${long}" 1]}`,
  'no comma before a long string': `{"a":[1 "${long}"]}`,
  'two strings side by side': `{"a":["${long}" "${long}"]}`,
  'no colon': `{"a" "${long}"}`,
  'two colons': `{"a"::"${long}"}`,
  'a colon in a list': `{"a":["b":"${long}"]}`,
  'a key that is a number': `{1:"${long}"}`,
  'no key': `{"${long}"}`,
  'a key only': `{"a":"${long}","b"}`,
  'a word before the value': `{"a":x"${long}"}`,
  'a word after the value': `{"a":"${long}"x}`,
  'a mismatched bracket': `{"a":["${long}"}}`,
  'a missing bracket': `{"a":["${long}"]`,
  'an extra bracket': `{"a":["${long}"]}}`,
  'no closing quote': `{"a":"${long}`,
  'a word after the end': `{"a":"${long}"} x`,
  'a byte order mark': `\ufeff{"a":"${long}"}`,
  'a line break in a string': `{"a":"${long}\n${long}"}`,
  'an unknown escape': `{"a":"${long}\\x${long}"}`,
  'half an escape': `{"a":"${long}\\u00"}`,
  'half of a surrogate pair': `{"a":"${long}\\ud83d${long}"}`,
  'half of a surrogate pair in a short string': `{"a":"${long}","b":["\\ude00"]}`,
  'a duplicate member': `{"a":"${long}","b":1,"a":2}`,
  'a duplicate member in an inner object': `{"a":{"b":"${long}","b":2,"c":"${long}"}}`,
  'a duplicate member in a short object of a long list': `{"a":["${long}",{"b":[{"c":1,"c":[]}]}]}`,
  'a duplicate member, spelled in two ways': `{"a":"${long}","\\u0061":2}`,
  'a list as the whole': `["${long}"]`,
  'a string as the whole': `"${long}"`,
  'whitespace before a comma in a long list': `{"a":[${'1,'.repeat(50_000)} ,1]}`,
};

for (const [name, text] of Object.entries(faults)) {
  test(`refuses text with ${name} in slices as in one run [ERR-12]`, async () => {
    expect(codeOf(parseBodyAtOnce(text))).not.toBe('ok');
    await expectSame(text);
  });
}

test('applies the same limits of depth, members and values in slices', async () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}"${long}"${']'.repeat(depth - 1)}}`;
  const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;
  for (const text of [nested(200), nested(201), members(1_000), members(1_001)]) await expectSame(text);
  expect(codeOf(await parseBodyInTurns(nested(200), yieldQueue))).toBe('ok');
  expect(codeOf(await parseBodyInTurns(nested(201), yieldQueue))).toBe('invalid_json');
  expect(codeOf(await parseBodyInTurns(`{"a":[${'1,'.repeat(499_000)}1]}`, yieldQueue))).toBe('ok');
  expect(codeOf(await parseBodyInTurns(`{"a":[${'1,'.repeat(500_001)}1]}`, yieldQueue))).toBe('invalid_json');
});

test('gives the same result in slices and in one run for random texts, valid and damaged', async () => {
  const random = seededRandom(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const filler = () => pick(['', 'x', long, '\\n'.repeat(20_000), '\\ud83d\\ude00'.repeat(4_000), '\\"é']);
  const make = (depth: number): string => {
    const kind = depth === 0 ? 'text' : pick(['text', 'list', 'object', 'many']);
    if (kind === 'text') return pick([`"${filler()}"`, '1', 'null', '[]', '{}', '-2.5e1']);
    const parts = Array.from({ length: Math.floor(random() * 4) }, () => make(depth - 1));
    if (kind === 'list') return `[${parts.join(pick([',', ' , ']))}]`;
    if (kind === 'many') return `[${'{"a":[1]},'.repeat(Math.floor(random() * 5_000))}0]`;
    return `{${parts.map((part, at) => `"${pick(['k', '', '\\u0061'])}${at}" :${part}`).join(',')}}`;
  };
  const marks = [',', ':', '"', '\\', '[', ']', '{', '}', ' ', '1', 'x'];
  for (let round = 0; round < 100; round++) {
    const text = `{"a":${make(3)},"b":${make(2)}}`;
    await expectSame(text);
    // Text that is not an object is not scanned, so the first character is kept.
    const at = 1 + Math.floor(random() * (text.length - 1));
    await expectSame(text.slice(0, at) + pick(marks) + text.slice(at + Math.floor(random() * 2)));
  }
});

test('lets other work run while a long text is parsed', async () => {
  const text = `{"a":"${'\\n'.repeat(4_000_000)}","b":[${'{"c":[1]},'.repeat(100_000)}0]}`;
  let turnsOfOthers = 0;
  let isOver = false;
  const count = () => {
    turnsOfOthers++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const parsed = await parseBodyInTurns(text, yieldQueue);
  isOver = true;
  expect(codeOf(parsed)).toBe('ok');
  expect(turnsOfOthers).toBeGreaterThan(5);
});

test('does not search a long string from its start again for each piece', async () => {
  const text = `{"a":"${'x'.repeat(4_000_000)}"}`;
  const searchBack = String.prototype.lastIndexOf;
  let searched = 0;
  String.prototype.lastIndexOf = function (this: string, wanted: string, from = this.length) {
    const found = searchBack.call(this, wanted, from);
    searched += Math.min(from, this.length) - Math.max(0, found);
    return found;
  };
  try {
    expect(codeOf(await parseBodyInTurns(text, yieldQueue))).toBe('ok');
  } finally {
    String.prototype.lastIndexOf = searchBack;
  }
  expect(searched).toBeLessThan(text.length);
});
