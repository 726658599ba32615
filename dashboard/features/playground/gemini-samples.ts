import { pythonOf } from './python-of.ts';
import type { SampleInput } from './sample-input.ts';

/** Google's clients take the members of the configuration, the instructions and the tools as one value. */
function callOf({ body, isStream }: SampleInput) {
  const { model, contents, generationConfig, systemInstruction, tools } = body;
  const config = {
    ...(generationConfig as object | undefined),
    ...(systemInstruction !== undefined && { systemInstruction }),
    ...(tools !== undefined && { tools }),
  };
  return { model, contents, ...(Object.keys(config).length > 0 && { config }), isStream };
}

const headersOf = ({ paymentHeader }: SampleInput) =>
  paymentHeader ? { headers: { [paymentHeader]: 'payg' } } : {};

export function geminiPython(input: SampleInput): string {
  const { isStream, ...call } = callOf(input);
  const options = pythonOf({ base_url: input.baseUrl, ...headersOf(input) });
  const fields = Object.entries(call).map(([name, value]) => `    ${name}=${pythonOf(value, 1)},`);
  return [
    'import os\nfrom google import genai\n',
    `client = genai.Client(api_key=os.environ["TOLLGATE_API_KEY"], http_options=${options})`,
    `answer = client.models.generate_content${isStream ? '_stream' : ''}(`,
    ...fields,
    ')',
    ...(isStream ? ['for chunk in answer:', '    print(chunk.text or "", end="")'] : ['print(answer.text)']),
  ].join('\n');
}

export function geminiTypescript(input: SampleInput): string {
  const { isStream, ...call } = callOf(input);
  const options = JSON.stringify({ baseUrl: input.baseUrl, ...headersOf(input) });
  return [
    "import { GoogleGenAI } from '@google/genai';\n",
    `const client = new GoogleGenAI({ apiKey: process.env.TOLLGATE_API_KEY, httpOptions: ${options} });`,
    `const answer = await client.models.generateContent${isStream ? 'Stream' : ''}(${JSON.stringify(call, null, 2)});`,
    ...(isStream
      ? ["for await (const chunk of answer) process.stdout.write(chunk.text ?? '');"]
      : ['console.log(answer.text);']),
  ].join('\n');
}
