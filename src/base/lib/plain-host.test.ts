import { expect, test } from 'bun:test';
import { isNumericHost } from './plain-host.ts';

const hostOf = (authority: string): string => new URL(`http://${authority}/`).hostname;

test('recognizes addresses in every notation that a URL can have', () => {
  const numeric = ['127.0.0.1', '0x7f000001', '017700000001', '2130706433', '127.1', '8.8.8.8', '[::1]'];
  for (const authority of [...numeric, '[::ffff:8.8.8.8]', '127.0.0.1.', '１２７.0.0.1'])
    expect({ authority, isNumericHost: isNumericHost(hostOf(authority)) }).toEqual({
      authority,
      isNumericHost: true,
    });
  for (const authority of ['a.example', '1.example', '0x7f.example', 'localhost'])
    expect({ authority, isNumericHost: isNumericHost(hostOf(authority)) }).toEqual({
      authority,
      isNumericHost: false,
    });
});
