import type { DialectId } from '../../app/chat-endpoints.ts';
import { geminiPython, geminiTypescript } from './gemini-samples.ts';
import { pythonOf } from './python-of.ts';
import type { SampleInput } from './sample-input.ts';

type SdkCode = {
  /** The modules of the client. */
  pythonModule: string;
  typescriptModule: string;
  client: string;
  /** The members of the client that lead to `create`. */
  call: string;
  /** The part of the base URL that the client expects. */
  urlSuffix: string;
  /** The line that prints a whole answer. */
  printWhole: { python: string; typescript: string };
  /** The body of the loop over the events of a stream. */
  printEvent: { python: string; typescript: string };
};

const openAi = {
  pythonModule: 'openai',
  typescriptModule: 'openai',
  client: 'OpenAI',
  urlSuffix: '/v1',
} as const;

/** The vendors' clients. Google's takes a request in another form, so it has samples of its own. */
const sdks: Readonly<Record<Exclude<DialectId, 'gemini'>, SdkCode>> = {
  messages: {
    pythonModule: 'anthropic',
    typescriptModule: '@anthropic-ai/sdk',
    client: 'Anthropic',
    call: 'messages',
    urlSuffix: '',
    printWhole: {
      python: 'print(answer.content[-1])',
      typescript: 'console.log(answer.content.at(-1));',
    },
    printEvent: {
      python:
        'if event.type == "content_block_delta" and event.delta.type == "text_delta":\n        print(event.delta.text, end="")',
      typescript:
        "if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')\n    process.stdout.write(event.delta.text);",
    },
  },
  responses: {
    ...openAi,
    call: 'responses',
    printWhole: { python: 'print(answer.output_text)', typescript: 'console.log(answer.output_text);' },
    printEvent: {
      python: 'if event.type == "response.output_text.delta":\n        print(event.delta, end="")',
      typescript: "if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);",
    },
  },
  chat: {
    ...openAi,
    call: 'chat.completions',
    printWhole: {
      python: 'print(answer.choices[0].message)',
      typescript: 'console.log(answer.choices[0]?.message);',
    },
    printEvent: {
      python: 'if event.choices:\n        print(event.choices[0].delta.content or "", end="")',
      typescript: "process.stdout.write(event.choices[0]?.delta.content ?? '');",
    },
  },
};

/** Returns the request as a call of the vendor's client for Python. */
export function pythonSample(input: SampleInput): string {
  const { dialect, body, baseUrl, paymentHeader } = input;
  if (dialect.id === 'gemini') return geminiPython(input);
  const { pythonModule, client, call, urlSuffix, printWhole, printEvent } = sdks[dialect.id];
  const fields = Object.entries(body).map(([name, value]) => `    ${name}=${pythonOf(value, 1)},`);
  const headers = paymentHeader ? [`    extra_headers={"${paymentHeader}": "payg"},`] : [];
  const print = body.stream ? ['for event in answer:', `    ${printEvent.python}`] : [printWhole.python];
  return [
    `import os\nfrom ${pythonModule} import ${client}\n`,
    `client = ${client}(api_key=os.environ["TOLLGATE_API_KEY"], base_url="${baseUrl}${urlSuffix}")`,
    `answer = client.${call}.create(`,
    ...fields,
    ...headers,
    ')',
    ...print,
  ].join('\n');
}

/** Returns the request as a call of the vendor's client for TypeScript. */
export function typescriptSample(input: SampleInput): string {
  const { dialect, body, baseUrl, paymentHeader } = input;
  if (dialect.id === 'gemini') return geminiTypescript(input);
  const { typescriptModule, client, call, urlSuffix, printWhole, printEvent } = sdks[dialect.id];
  const options = paymentHeader ? `, { headers: { '${paymentHeader}': 'payg' } }` : '';
  const print = body.stream
    ? ['for await (const event of answer) {', `  ${printEvent.typescript}`, '}']
    : [printWhole.typescript];
  return [
    `import ${client} from '${typescriptModule}';\n`,
    `const client = new ${client}({ apiKey: process.env.TOLLGATE_API_KEY, baseURL: '${baseUrl}${urlSuffix}' });`,
    `const answer = await client.${call}.create(${JSON.stringify(body, null, 2)}${options});`,
    ...print,
  ].join('\n');
}
