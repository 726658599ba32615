import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { countInput, countOutput, splitList } from '../../inference/responses/split-list.ts';
import { ContentSeal } from './content-seal.ts';

const key = randomBytes(32);
const loadKey = async () => undefined;
const seal = new ContentSeal({ isOn: true, key, loadKey });
const texts = ['short', '{"a":"ünï 模型"}', `{"a":"${'long '.repeat(20_000)}"}`, 'data: {}\n\n'];

test('an encrypted text opens only at its place with its key', async () => {
  for (const text of texts) {
    const sealed = seal.seal(text, 'one');
    expect(sealed).not.toContain(text);
    expect(await seal.open(sealed, 'one')).toBe(text);
    await expect(seal.open(sealed, 'two')).rejects.toThrow('changed');
    await expect(seal.open(`${sealed.slice(0, -2)}AA`, 'one')).rejects.toThrow('changed');
    const other = new ContentSeal({ isOn: true, key: randomBytes(32), loadKey });
    await expect(other.open(sealed, 'one')).rejects.toThrow('changed');
  }
  expect(seal.seal('', 'one')).toBe('');
});

test('a list keeps its items apart, so that it can be divided, joined and counted', async () => {
  const items = Array.from({ length: 300 }, (_, index) => {
    const type = index % 3 === 0 ? 'reasoning' : 'message';
    return { type, text: randomBytes(400).toString('hex'), says: '"reasoning"' };
  });
  const list = JSON.stringify(items);
  const sealed = seal.sealList(list, 'one');
  expect({ outputCount: countOutput(sealed), inputCount: countInput(sealed) }).toEqual({
    outputCount: 200,
    inputCount: 300,
  });
  const parts = splitList(sealed, { items: 200, isOutput: true });
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.reduce((sum, part) => sum + part.items, 0)).toBe(200);
  const joined = `[${parts.map(({ text }) => text.slice(1, -1)).join(',')}]`;
  expect(await seal.openList(joined, 'one')).toBe(list);
  await expect(seal.openList(joined, 'two')).rejects.toThrow('changed');
  expect(seal.sealList('[]', 'one')).toBe('[]');
});

test('content stays readable after encryption is turned on or off', async () => {
  const off = new ContentSeal({ isOn: false, key: undefined, loadKey: async () => key });
  const list = JSON.stringify([{ text: '"sealed1' }, { text: 'sealed1.' }]);
  for (const one of [seal, off]) {
    expect(await one.open('{}', 'one')).toBe('{}');
    expect(await one.openList(list, 'one')).toEqual(list);
  }
  expect(off.seal('{}', 'one')).toBe('{}');
  expect(off.sealList(list, 'one')).toEqual(list);
  expect(await off.open(seal.seal('text', 'one'), 'one')).toBe('text');
  const lost = new ContentSeal({ isOn: false, key: undefined, loadKey });
  expect(await lost.openList(list, 'one')).toBe(list);
  await expect(lost.open(seal.seal('text', 'one'), 'one')).rejects.toThrow('cannot read the key');
});
