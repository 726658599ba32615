import type { AssistantTurn, Body, Settings, ToolDefinition, Turn } from './conversation.ts';
import { MADE_UP } from './read-gemini.ts';
import { jsonOr, numberOf, partsOfDataUrl, present, schemaOf, stopsOf } from './request-parts.ts';

/** Writes a request of Gemini's API. The body names the model, which clients name in the path. */
export const writeGemini = (
  settings: Settings,
  turns: readonly Turn[],
  tools: readonly ToolDefinition[],
): Body => {
  const generationConfig = configOf(settings);
  return present({
    model: settings.model,
    systemInstruction: settings.system ? { parts: [{ text: settings.system }] } : undefined,
    contents: turns.map(contentOf),
    tools:
      tools.length > 0
        ? [
            {
              functionDeclarations: tools.map(({ name, description, schema }) => ({
                name,
                description,
                parametersJsonSchema: schema,
              })),
            },
          ]
        : undefined,
    generationConfig: Object.keys(generationConfig).length > 0 ? generationConfig : undefined,
  });
};

function configOf(settings: Settings): Body {
  const schema = schemaOf(settings);
  return present({
    maxOutputTokens: numberOf(settings.maxTokens),
    temperature: numberOf(settings.temperature),
    stopSequences: stopsOf(settings),
    thinkingConfig: settings.effort
      ? { includeThoughts: true, thinkingLevel: settings.effort.toUpperCase() }
      : undefined,
    responseMimeType: schema && 'application/json',
    responseJsonSchema: schema,
  });
}

function contentOf(turn: Turn): Body {
  if (turn.role === 'assistant') return { role: 'model', parts: saidIn(turn) };
  if (turn.role === 'tool')
    return {
      role: 'user',
      parts: turn.results.map(({ id, name, text }) => ({
        functionResponse: { ...ownId(id), name, response: { output: text } },
      })),
    };
  const images = turn.images.map((url) => {
    const { type, data } = partsOfDataUrl(url);
    return { inlineData: { mimeType: type, data } };
  });
  return {
    role: 'user',
    parts: [...images, ...(turn.text || images.length === 0 ? [{ text: turn.text }] : [])],
  };
}

function saidIn({ own, text, calls }: AssistantTurn): unknown {
  if (own?.dialect === 'gemini') return own.content;
  return [
    ...(text ? [{ text }] : []),
    ...calls.map(({ id, name, input }) => ({
      functionCall: { ...ownId(id), name, args: jsonOr(input) },
    })),
  ];
}

/** Most models of the vendor give calls no ids. */
const ownId = (id: string): { id?: string } => (id.startsWith(MADE_UP) ? {} : { id });
