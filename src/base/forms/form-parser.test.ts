import { expect, test } from 'bun:test';
import { boundaryOf, isFormType } from './boundary-of.ts';
import { FormFault } from './form-fault.ts';
import { FormParser } from './form-parser.ts';

type Read = { name: string; filename?: string; type?: string; data: string };

function parse(text: string | Buffer, { boundary = 'b', cuts = [] as number[] } = {}): Read[] {
  const bytes = Buffer.from(text as string, 'latin1');
  const parts: Read[] = [];
  let current: Read | undefined;
  const parser = new FormParser(boundary, {
    begin({ name, filename, type }) {
      current = { name, ...(filename !== undefined && { filename }), ...(type && { type }), data: '' };
    },
    data(piece) {
      current!.data += Buffer.from(piece).toString('latin1');
    },
    end() {
      parts.push(current!);
    },
  });
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    parser.push(bytes.subarray(from, cut));
    from = cut;
  }
  parser.finish();
  return parts;
}

const part = (disposition: string, data = 'x', more = '') =>
  `--b\r\nContent-Disposition: ${disposition}\r\n${more}\r\n${data}\r\n`;
const whole = (...parts: string[]) => `${parts.join('')}--b--\r\n`;

const SAMPLE = `ignored\r\n${whole(
  part(
    'form-data; name="file"; filename="a.mp3"',
    '\r\n--b\n\r\r\n-\r\n--a\0\xff',
    'Content-Type: audio/mpeg\r\n',
  ),
  part('form-data; name=model', 'whisper-1'),
  part('form-data; name="empty"', ''),
)}\r\n--b\r\nepilogue`.replace('\r\n--b\n', '\r\n--\n');

test('reads the parts of a form, without its preamble and its epilogue', () => {
  expect(parse(SAMPLE)).toEqual([
    { name: 'file', filename: 'a.mp3', type: 'audio/mpeg', data: '\r\n--\n\r\r\n-\r\n--a\0\xff' },
    { name: 'model', data: 'whisper-1' },
    { name: 'empty', data: '' },
  ]);
});

test('reads the same parts wherever the body is cut, once, twice and at each byte', () => {
  const expected = parse(SAMPLE);
  const { length } = SAMPLE;
  for (let one = 0; one <= length; one++) {
    expect(parse(SAMPLE, { cuts: [one] })).toEqual(expected);
    for (let two = one; two <= Math.min(length, one + 40); two++)
      expect(parse(SAMPLE, { cuts: [one, two] })).toEqual(expected);
  }
  expect(parse(SAMPLE, { cuts: Array.from({ length }, (_, at) => at) })).toEqual(expected);
});

test('a form that is cut off anywhere before its last delimiter is refused', () => {
  const text = whole(part('form-data; name="model"', 'm'));
  const end = text.lastIndexOf('--\r\n') + 2;
  for (let length = 0; length < end; length++)
    expect(() => parse(text.slice(0, length))).toThrow('The form ended before its closing boundary.');
  expect(parse(text.slice(0, end))).toHaveLength(1);
});

const names: [string, string | undefined, string, string?][] = [
  ['name="a"; filename="b.wav"', 'b.wav', 'plain quotes'],
  ['name="a"; filename=b.wav', 'b.wav', 'no quotes'],
  ['name="a"; filename="b \\"c\\".wav"', 'b "c".wav', 'escaped quotes'],
  ['name="a"; filename="C:\\dir\\b.wav"', 'C:\\dir\\b.wav', 'a path of Windows'],
  ['name="a"; filename="b;c=d.wav"', 'b;c=d.wav', 'a semicolon within quotes'],
  ['name="a"; filename="b%22c.wav"', 'b%22c.wav', 'the escapes of browsers'],
  ['name="a"; filename*=UTF-8\'\'caf%C3%A9.wav', 'café.wav', 'RFC 5987'],
  ['filename*=utf-8\'en\'c%20d.wav; name=a; filename="x"', 'c d.wav', 'both forms, in any order'],
  ['name="a"; filename="\xc3\xa9.wav"', 'é.wav', 'UTF-8'],
  ['name="a"; filename="\xe9.wav"', 'é.wav', 'Latin-1'],
  ['name="a"; filename=""', '', 'an empty name'],
  ['NAME="a" ; FileName = "b"; ', 'b', 'blanks and capitals'],
];
for (const [parameters, filename, title] of names) {
  test(`reads a file name: ${title}`, () => {
    const [read] = parse(whole(part(`form-data; ${parameters}`)));
    expect(read).toEqual({ name: 'a', ...(filename !== undefined && { filename }), data: 'x' });
  });
}

const malformed: [string, string][] = [
  ['no name', part('form-data')],
  ['an empty name', part('form-data; name=""')],
  ['a long name', part(`form-data; name="${'n'.repeat(300)}"`)],
  ['another disposition', part('attachment; name="a"')],
  ['a disposition twice', part('form-data; name="a"', 'x', 'Content-Disposition: form-data; name="b"\r\n')],
  ['a parameter twice', part('form-data; name="a"; name="b"')],
  ['an open quote', part('form-data; name="a')],
  ['text after a quote', part('form-data; name="a"b')],
  ['a control character', part('form-data; name="a\0"')],
  ['a folded line', part('form-data;\r\n name="a"')],
  ['no header', '--b\r\n\r\nx\r\n'],
  ['a header without a colon', '--b\r\nnonsense\r\n\r\nx\r\n'],
  ['line feeds only', '--b\nContent-Disposition: form-data; name="a"\n\nx\n'],
  ['a long header', part('form-data; name="a"', 'x', `X: ${'y'.repeat(9_000)}\r\n`)],
  ['base64', part('form-data; name="a"', 'x', 'Content-Transfer-Encoding: base64\r\n')],
  ['a bad type', part('form-data; name="a"', 'x', 'Content-Type: a\r\n')],
  ['a name with a quote', part('form-data; name="a\\"b"')],
  ['a name with a backslash', part('form-data; name="a\\\\"')],
  ['a name with a blank', part('form-data; name="a "')],
  ['the field for a charset', part('form-data; name="_charset_"', 'utf-7')],
  [
    'a text in another charset',
    part('form-data; name="a"', 'x', 'Content-Type: text/plain; charset=utf-7\r\n'),
  ],
  ['parts within a part', part('form-data; name="a"', 'x', 'Content-Type: multipart/mixed; boundary=c\r\n')],
  [
    'a message within a part',
    part('form-data; name="a"; filename="f"', 'x', 'Content-Type: message/rfc822\r\n'),
  ],
  ['a bad parameter of the type', part('form-data; name="a"', 'x', 'Content-Type: a/b; "\r\n')],
  ['a long file name', part(`form-data; name="a"; filename="${'n'.repeat(2_000)}"`)],
  ['bad escapes', part("form-data; name=a; filename*=UTF-8''%zz")],
  ['an unknown charset', part("form-data; name=a; filename*=utf-7''b")],
  ['a line break in an escape', part("form-data; name=a; filename*=UTF-8''%0d%0aX:y")],
  ['text after a boundary', `${part('form-data; name="a"')}--bc\r\n`],
  ['one dash after a boundary', `${part('form-data; name="a"')}--b-c\r\n`],
  ['a boundary without end', `${part('form-data; name="a"')}--b${' '.repeat(9_000)}`],
];
for (const [title, text] of malformed) {
  test(`refuses a form with ${title}`, () => {
    expect(() => parse(whole(text))).toThrow(FormFault);
  });
}

test('reads header lines of the greatest length in linear time', () => {
  const slow = [
    part(`form-data; name="a"; filename="${'\\\\'.repeat(3_900)}`),
    part(`form-data; name="a"; ${' '.repeat(8_000)}x`),
    part('form-data; name="a"', 'x', `X: ${' '.repeat(8_000)}x\r\n`),
  ];
  const startedAt = performance.now();
  for (const text of slow) {
    try {
      parse(whole(text));
    } catch (error) {
      expect(error).toBeInstanceOf(FormFault);
    }
  }
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

test('finds the boundary of a content type, with and without quotes', () => {
  expect(boundaryOf('multipart/form-data; boundary=abc')).toBe('abc');
  expect(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b:c"')).toBe('a b:c');
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    `multipart/form-data; boundary=${'b'.repeat(71)}`,
    'multipart/form-data; boundary="a "',
    'multipart/form-data; boundary=a; boundary=b',
    'multipart/form-data; boundary="a\\"b"',
  ])
    expect({ type, boundary: boundaryOf(type) }).toEqual({ type, boundary: undefined });
  expect(isFormType('Multipart/Form-Data;boundary=x')).toBe(true);
  expect(isFormType('multipart/form-data-x')).toBe(false);
  expect(isFormType(null)).toBe(false);
});
