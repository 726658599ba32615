import { expect, test } from 'bun:test';
import { codeSample, languages } from './code-samples.ts';
import { dialects } from './dialects.ts';
import { emptyDraft, keepDraft, readDraft } from './draft.ts';
import { readTools } from './read-tools.ts';
import { sizeWithin } from './scale-image.ts';
import { serverEvents } from './server-events.ts';
import { shortenData } from './shorten-data.ts';

test('reads tools in the form of any dialect, and names what is wrong', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } };
  const expected = { tools: [{ name: 'a', description: 'b', schema }] };
  const forms = [
    [{ name: 'a', description: 'b', input_schema: schema }],
    { name: 'a', description: 'b', parameters: schema },
    [{ type: 'function', function: { name: 'a', description: 'b', parameters: schema } }],
    [{ functionDeclarations: [{ name: 'a', description: 'b', parametersJsonSchema: schema }] }],
  ];
  for (const form of forms) expect(readTools(JSON.stringify(form))).toEqual(expected);
  expect(readTools(' ')).toEqual({ tools: [] });
  const faults = ['[', '[3]', '[{"name":""}]', '[{"name":"a","parameters":[]}]'].map(readTools);
  expect(faults.map((one) => 'fault' in one && one.fault.split(/[:.]/)[0])).toEqual([
    'This is not valid JSON',
    'Tool 1',
    'Tool 1',
    'Tool 1',
  ]);
});

test('leaves the check of the names of tools to the server', () => {
  for (const name of ['fs.read', 'mcp:search', 'a'.repeat(100)])
    expect(readTools(JSON.stringify({ functionDeclarations: [{ name }] }))).toMatchObject({
      tools: [{ name }],
    });
});

test('writes the request as code for each dialect and language', () => {
  const body = {
    model: 'm',
    messages: [{ role: 'user', content: "it's" }],
    stream: true,
    tools: [],
    flag: null,
  };
  for (const dialect of dialects)
    for (const { id } of languages) {
      const code = codeSample(id, {
        dialect,
        body,
        baseUrl: 'https://x.example',
        paymentHeader: 'x-svc-payment-mode',
        isStream: true,
      });
      expect(code).toContain('https://x.example');
      expect(code).toContain('TOLLGATE_API_KEY');
      expect(code).toContain('payg');
    }
  const [messages] = dialects;
  const input = {
    dialect: messages!,
    body,
    baseUrl: 'https://x.example',
    paymentHeader: null,
    isStream: true,
  };
  expect(codeSample('curl', input)).toContain(`it'\\''s`);
  expect(codeSample('python', input)).toContain('stream=True,');
  expect(codeSample('python', input)).toContain('flag=None,');
  const gemini = dialects.find(({ id }) => id === 'gemini')!;
  const asked = {
    model: '@svc/m',
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    generationConfig: { topK: 1 },
  };
  const ofGemini = { ...input, dialect: gemini, body: asked };
  expect(codeSample('curl', ofGemini)).toContain(
    '"https://x.example/v1beta/models/%40svc%2Fm:streamGenerateContent?alt=sse"',
  );
  expect(codeSample('curl', ofGemini)).not.toContain('"model"');
  expect(codeSample('python', { ...ofGemini, isStream: false })).toContain('models.generate_content(');
  expect(codeSample('typescript', ofGemini)).toContain('models.generateContentStream(');
});

test('shortens images in code', () => {
  const code = `url: data:image/png;base64,${'A'.repeat(500)}" "data": "${'B'.repeat(500)}"`;
  expect(shortenData(code)).toBe(
    `url: data:image/png;base64,${'A'.repeat(24)}…" "data": "${'B'.repeat(24)}…"`,
  );
});

test('scales images down, and never up', () => {
  expect(sizeWithin({ width: 4_000, height: 2_000 }, 1_000)).toEqual({ width: 1_000, height: 500 });
  expect(sizeWithin({ width: 40, height: 20 }, 1_000)).toEqual({ width: 40, height: 20 });
  expect(sizeWithin({ width: 5_000, height: 1 }, 1_000)).toEqual({ width: 1_000, height: 1 });
});

test('reads events wherever the stream is cut', async () => {
  const bytes = new TextEncoder().encode(
    ': ping\n\nevent: x\r\ndata: {"a":"ü"}\r\n\r\ndata: {"b":2}\n\ndata: [DONE]\n\n',
  );
  for (const size of [1, 3, 1_000]) {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    expect(await Array.fromAsync(serverEvents(stream))).toEqual([{ a: 'ü' }, { b: 2 }]);
  }
});

test('keeps the draft of one person, without its images if the browser has no room', () => {
  let kept = '';
  const storage = {
    getItem: () => kept,
    setItem(_: string, text: string) {
      if (text.length > 1_000) throw new Error('full');
      kept = text;
    },
  };
  const turn = { role: 'user', text: 'see', images: [`data:image/png;base64,${'A'.repeat(2_000)}`] } as const;
  keepDraft(storage, 'me', { ...emptyDraft, turns: [turn], text: 'next' });
  expect(readDraft(storage, 'me')).toMatchObject({ text: 'next', turns: [{ text: 'see', images: [] }] });
  expect(readDraft(storage, 'somebody else')).toEqual(emptyDraft);
  expect(readDraft({ getItem: () => '{broken' }, 'me')).toEqual(emptyDraft);
});
