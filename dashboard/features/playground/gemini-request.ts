import type { Turn } from './conversation.ts';
import { dataUrl } from './data-url.ts';
import { madeUpId } from './read-gemini.ts';
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

/** A turn of results answers the calls of the turn before it. */
function turnOfContent({ role, parts: value }: Json, turn: number): Turn {
  const parts = listOf(value);
  const text = textOf(parts.filter(({ thought }) => thought !== true));
  const responses = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
  if (responses.length > 0)
    return {
      role: 'tool',
      results: responses.map((response, index) => resultOf(response, madeUpId(turn - 1, index))),
    };
  if (role === 'model') {
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    return assistantTurn(
      text,
      calls.map((call, index) => callOf(call, madeUpId(turn, index))),
    );
  }
  const images = parts.flatMap(({ inlineData }) =>
    inlineData ? [dataUrl({ mediaType: inlineData.mimeType, base64: inlineData.data })] : [],
  );
  return { role: 'user', text, images };
}

const resultOf = ({ id, name, response }: Json, newId: string) => ({
  id: id ?? newId,
  name,
  text: typeof response?.output === 'string' ? response.output : JSON.stringify(response ?? {}),
});

const callOf = ({ id, name, args }: Json, newId: string) => ({
  id: id ?? newId,
  name,
  input: JSON.stringify(args ?? {}),
});
