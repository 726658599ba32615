import { expect, test } from 'bun:test';
import type { Form } from './form.ts';
import { outgoingForm } from './outgoing-form.ts';

const bytes = Buffer.from('0123456789');
const form: Form = {
  parts: [
    { name: 'image[]', filename: 'C:\\dir\\a "b".png\\', type: 'image/png', at: 2, byteLength: 5 },
    { name: 'model', text: 'public/name', type: undefined },
    { name: 'prompt', text: 'ä', type: 'text/plain; charset=utf-8' },
  ],
  content: { byteLength: 10, read: (at, length) => bytes.subarray(at, Math.min(at + length, at + 2)) },
};

async function textOf(pieces: AsyncIterator<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) all.push(next.value);
  return Buffer.concat(all).toString();
}

test('writes a form again under the upstream name of the model', async () => {
  const body = outgoingForm(form, { model: 'whisper-1' }, 'xyz');
  const text = await textOf(body.pieces());
  expect(text).toBe(
    '--xyz\r\ncontent-disposition: form-data; name="image[]"; filename="a %22b%22.png"\r\ncontent-type: image/png\r\n\r\n23456\r\n' +
      '--xyz\r\ncontent-disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n' +
      '--xyz\r\ncontent-disposition: form-data; name="prompt"\r\ncontent-type: text/plain; charset=utf-8\r\n\r\nä\r\n' +
      '--xyz--\r\n',
  );
  expect(body.byteLength).toBe(Buffer.byteLength(text));
  expect(body.contentType).toBe('multipart/form-data; boundary=xyz');
  expect(await textOf(body.pieces())).toBe(text); // again from the beginning
});
