import type { Body, DialectId } from './conversation.ts';
import { geminiPython, geminiTypescript } from './gemini-samples.ts';
import { pythonOf } from './python-of.ts';
import type { SampleInput } from './sample-input.ts';

export type Language = 'curl' | 'python' | 'typescript';

export const languages: readonly { id: Language; label: string }[] = [
  { id: 'curl', label: 'curl' },
  { id: 'python', label: 'Python' },
  { id: 'typescript', label: 'TypeScript' },
];

/** Returns the request as code. The key is read from the environment. */
export const codeSample = (language: Language, input: SampleInput): string => writers[language](input);

const writers: Record<Language, (input: SampleInput) => string> = {
  curl: curlOf,
  python: pythonSample,
  typescript: typescriptSample,
};

const keyHeaders: Readonly<Record<DialectId, string>> = {
  messages: '"x-api-key: $TOLLGATE_API_KEY"',
  responses: '"authorization: Bearer $TOLLGATE_API_KEY"',
  chat: '"authorization: Bearer $TOLLGATE_API_KEY"',
  gemini: '"x-goog-api-key: $TOLLGATE_API_KEY"',
};

/** A path with a placeholder names the model, so the body does not. */
function addressed({ dialect, body, isStream }: SampleInput): { path: string; body: Body } {
  const { path, streamPath } = dialect;
  if (streamPath === undefined) return { path, body };
  const { model, ...rest } = body;
  const named = (isStream ? `${streamPath}?alt=sse` : path).replace(
    '{id}',
    encodeURIComponent(String(model)),
  );
  return { path: named, body: rest };
}

function curlOf(input: SampleInput): string {
  const { dialect, baseUrl, paymentHeader, isStream } = input;
  const { path, body } = addressed(input);
  const isMessages = dialect.id === 'messages';
  const headers = [
    keyHeaders[dialect.id],
    ...(isMessages ? ['"anthropic-version: 2023-06-01"'] : []),
    '"content-type: application/json"',
    ...(paymentHeader ? [`"${paymentHeader}: payg"`] : []),
  ];
  const text = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`);
  return [
    `curl ${isStream ? '--no-buffer ' : ''}${path.includes('?') ? `"${baseUrl}${path}"` : baseUrl + path}`,
    ...headers.map((header) => `  --header ${header}`),
    `  --data '${text}'`,
  ].join(' \\\n');
}

const packages = {
  messages: {
    python: 'anthropic',
    client: 'Anthropic',
    module: '@anthropic-ai/sdk',
    call: 'messages',
    suffix: '',
  },
  responses: { python: 'openai', client: 'OpenAI', module: 'openai', call: 'responses', suffix: '/v1' },
  chat: { python: 'openai', client: 'OpenAI', module: 'openai', call: 'chat.completions', suffix: '/v1' },
} as const;

/** The code that prints the answer: the last line of a request, and the body of the loop over a stream. */
const printing = {
  messages: {
    whole: { python: 'print(answer.content[-1])', typescript: 'console.log(answer.content.at(-1));' },
    event: {
      python:
        'if event.type == "content_block_delta" and event.delta.type == "text_delta":\n        print(event.delta.text, end="")',
      typescript:
        "if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')\n    process.stdout.write(event.delta.text);",
    },
  },
  responses: {
    whole: { python: 'print(answer.output_text)', typescript: 'console.log(answer.output_text);' },
    event: {
      python: 'if event.type == "response.output_text.delta":\n        print(event.delta, end="")',
      typescript: "if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);",
    },
  },
  chat: {
    whole: {
      python: 'print(answer.choices[0].message)',
      typescript: 'console.log(answer.choices[0]?.message);',
    },
    event: {
      python: 'if event.choices:\n        print(event.choices[0].delta.content or "", end="")',
      typescript: "process.stdout.write(event.choices[0]?.delta.content ?? '');",
    },
  },
} as const;

function pythonSample(input: SampleInput): string {
  const { dialect, body, baseUrl, paymentHeader } = input;
  if (dialect.id === 'gemini') return geminiPython(input);
  const { python, client, call, suffix } = packages[dialect.id];
  const print = printing[dialect.id];
  const fields = Object.entries(body).map(([name, value]) => `    ${name}=${pythonOf(value, 1)},`);
  const headers = paymentHeader ? [`    extra_headers={"${paymentHeader}": "payg"},`] : [];
  const loop = body.stream ? ['for event in answer:', `    ${print.event.python}`] : [print.whole.python];
  return [
    `import os\nfrom ${python} import ${client}\n`,
    `client = ${client}(api_key=os.environ["TOLLGATE_API_KEY"], base_url="${baseUrl}${suffix}")`,
    `answer = client.${call}.create(`,
    ...fields,
    ...headers,
    ')',
    ...loop,
  ].join('\n');
}

function typescriptSample(input: SampleInput): string {
  const { dialect, body, baseUrl, paymentHeader } = input;
  if (dialect.id === 'gemini') return geminiTypescript(input);
  const { client, module, call, suffix } = packages[dialect.id];
  const print = printing[dialect.id];
  const options = paymentHeader ? `, { headers: { '${paymentHeader}': 'payg' } }` : '';
  const loop = body.stream
    ? ['for await (const event of answer) {', `  ${print.event.typescript}`, '}']
    : [print.whole.typescript];
  return [
    `import ${client} from '${module}';\n`,
    `const client = new ${client}({ apiKey: process.env.TOLLGATE_API_KEY, baseURL: '${baseUrl}${suffix}' });`,
    `const answer = await client.${call}.create(${JSON.stringify(body, null, 2)}${options});`,
    ...loop,
  ].join('\n');
}
