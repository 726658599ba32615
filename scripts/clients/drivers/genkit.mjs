import { openAICompatible } from '@genkit-ai/compat-oai';
import { genkit, z } from 'genkit';
import { description, first, key, model, readNote, second, url } from './session.mjs';

const ai = genkit({ plugins: [openAICompatible({ name: 'tollgate', apiKey: key, baseURL: `${url}/v1` })] });
const note = ai.defineTool(
  {
    name: 'read_note',
    description,
    inputSchema: z.object({ path: z.string() }),
    outputSchema: z.string(),
  },
  async (input) => readNote(input),
);
const settings = { model: `tollgate/${model}`, tools: [note] };

const { response } = ai.generateStream({ ...settings, prompt: first });
const answer = await response;
console.log(answer.text);
console.log((await ai.generate({ ...settings, messages: answer.messages, prompt: second })).text);
