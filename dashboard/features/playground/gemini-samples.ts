import { pythonOf } from './python-of.ts';
import type { SampleInput } from './sample-input.ts';

/**
 * Returns the arguments of a call. Google's clients take the configuration, the instructions and the tools as
 * one value.
 */
function argumentsOf({ body }: SampleInput) {
  const { model, contents, generationConfig, systemInstruction, tools } = body;
  const config = {
    ...(generationConfig as object | undefined),
    ...(systemInstruction !== undefined && { systemInstruction }),
    ...(tools !== undefined && { tools }),
  };
  return { model, contents, ...(Object.keys(config).length > 0 && { config }) };
}

const headersOf = ({ paymentHeader }: SampleInput) =>
  paymentHeader ? { headers: { [paymentHeader]: 'payg' } } : {};

/** Returns the request as a call of Google's client for Python. */
export function geminiPython(input: SampleInput): string {
  const { isStream, baseUrl } = input;
  const options = pythonOf({ base_url: baseUrl, ...headersOf(input) });
  const fields = Object.entries(argumentsOf(input)).map(
    ([name, value]) => `    ${name}=${pythonOf(value, 1)},`,
  );
  return [
    'import os\nfrom google import genai\n',
    `client = genai.Client(api_key=os.environ["TOLLGATE_API_KEY"], http_options=${options})`,
    `answer = client.models.generate_content${isStream ? '_stream' : ''}(`,
    ...fields,
    ')',
    ...(isStream ? ['for chunk in answer:', '    print(chunk.text or "", end="")'] : ['print(answer.text)']),
  ].join('\n');
}

/** Returns the request as a call of Google's client for TypeScript. */
export function geminiTypescript(input: SampleInput): string {
  const { isStream, baseUrl } = input;
  const options = JSON.stringify({ baseUrl, ...headersOf(input) });
  return [
    "import { GoogleGenAI } from '@google/genai';\n",
    `const client = new GoogleGenAI({ apiKey: process.env.TOLLGATE_API_KEY, httpOptions: ${options} });`,
    `const answer = await client.models.generateContent${isStream ? 'Stream' : ''}(${JSON.stringify(argumentsOf(input), null, 2)});`,
    ...(isStream
      ? ["for await (const chunk of answer) process.stdout.write(chunk.text ?? '');"]
      : ['console.log(answer.text);']),
  ].join('\n');
}
