import type { Turn } from './conversation.ts';
import { dataUrl } from './data-url.ts';
import { MADE_UP } from './read-gemini.ts';
import { type Json, listOf, textOf } from './request-json.ts';
import { assistantTurn, type RequestReader } from './request-reader.ts';

/** Reads requests of Gemini's API. */
export const geminiRequest: RequestReader = {
  turns: ({ contents }) => listOf(contents).map(turnOfContent),
  settings: ({ systemInstruction, generationConfig }) => ({
    system: textOf(systemInstruction?.parts),
    maxTokens: generationConfig?.maxOutputTokens,
    temperature: generationConfig?.temperature,
    stop: listOf(generationConfig?.stopSequences).join('\n'),
    effort: generationConfig?.thinkingConfig?.thinkingLevel?.toLowerCase(),
    schema: generationConfig?.responseJsonSchema,
  }),
  members: ['contents', 'systemInstruction', 'generationConfig', 'maxOutputTokens'],
  partsWithoutField: ({ generationConfig }) =>
    Object.keys(generationConfig ?? {})
      .filter(
        (name) => !configMembers.has(name) || (name === 'thinkingConfig' && !hasLevel(generationConfig)),
      )
      .map((name) => `generationConfig.${name}`),
};

const hasLevel = ({ thinkingConfig }: Json): boolean => Boolean(thinkingConfig?.thinkingLevel);

/** The members of the configuration that are read. The type of the answer follows from its schema. */
const configMembers: ReadonlySet<string> = new Set([
  'maxOutputTokens',
  'temperature',
  'stopSequences',
  'thinkingConfig',
  'responseJsonSchema',
  'responseMimeType',
]);

function turnOfContent({ role, parts: value }: Json): Turn {
  const parts = listOf(value);
  const text = textOf(parts.filter(({ thought }) => thought !== true));
  const responses = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
  if (responses.length > 0) return { role: 'tool', results: responses.map(resultOf) };
  if (role === 'model')
    return assistantTurn(text, parts.flatMap(({ functionCall }) => functionCall ?? []).map(callOf));
  const images = parts.flatMap(({ inlineData }) =>
    inlineData ? [dataUrl({ mediaType: inlineData.mimeType, base64: inlineData.data })] : [],
  );
  return { role: 'user', text, images };
}

const resultOf = ({ id, name, response }: Json, index: number) => ({
  id: id ?? `${MADE_UP}${index}`,
  name,
  text: typeof response?.output === 'string' ? response.output : JSON.stringify(response ?? {}),
});

const callOf = ({ id, name, args }: Json, index: number) => ({
  id: id ?? `${MADE_UP}${index}`,
  name,
  input: JSON.stringify(args ?? {}),
});
