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
    tools: tools.length > 0 ? [{ functionDeclarations: tools.map(declarationOf) }] : undefined,
    generationConfig: Object.keys(generationConfig).length > 0 ? generationConfig : undefined,
  });
};

const declarationOf = ({ name, description, schema }: ToolDefinition): Body => ({
  name,
  description,
  parametersJsonSchema: schema,
});

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
  if (turn.role === 'assistant') return { role: 'model', parts: assistantParts(turn) };
  return { role: 'user', parts: turn.role === 'tool' ? resultParts(turn) : userParts(turn) };
}

const resultParts = ({ results }: Extract<Turn, { role: 'tool' }>): Body[] =>
  results.map(({ id, name, text }) => ({
    functionResponse: { ...vendorId(id), name, response: { output: text } },
  }));

/** Images come first. A turn without images has its text even if it is empty. */
function userParts({ images, text }: Extract<Turn, { role: 'user' }>): Body[] {
  const parts: Body[] = images.map((url) => {
    const { type, data } = partsOfDataUrl(url);
    return { inlineData: { mimeType: type, data } };
  });
  return text || parts.length === 0 ? [...parts, { text }] : parts;
}

function assistantParts({ own, text, calls }: AssistantTurn): unknown {
  if (own?.dialect === 'gemini') return own.content;
  return [
    ...(text ? [{ text }] : []),
    ...calls.map(({ id, name, input }) => ({
      functionCall: { ...vendorId(id), name, args: jsonOr(input) },
    })),
  ];
}

/** Most models of the vendor give calls no ids. */
const vendorId = (id: string): { id?: string } => (id.startsWith(MADE_UP) ? {} : { id });
