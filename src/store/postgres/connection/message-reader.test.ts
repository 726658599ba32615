import { expect, test } from 'bun:test';
import { MessageReader } from './message-reader.ts';

const head = (length: number): Buffer => {
  const bytes = Buffer.from('Z____');
  bytes.writeUInt32BE(length, 1);
  return bytes;
};

test('messages are read, wherever their bytes are cut', () => {
  const bytes = Buffer.concat([head(5), Buffer.from('I'), head(4), head(6), Buffer.from('ab')]);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const reader = new MessageReader();
    const bodies: string[] = [];
    for (const chunk of [bytes.subarray(0, cut), bytes.subarray(cut)])
      reader.read(chunk, (_type, all, start, end) => bodies.push(all.toString('utf8', start, end)));
    expect(bodies).toEqual(['I', '', 'ab']);
  }
});

test.each([0, 3, 256 * 1024 * 1024 + 1, 0xffff_ffff])('a length of %d is refused', (length) => {
  expect(() => new MessageReader().read(head(length), () => {})).toThrow('invalid message');
});
