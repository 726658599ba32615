import { definedOf } from '../../../src/base/lib/records.ts';
import { parseDecimal } from '../../components/parse-decimal.ts';
import type { AssistantTurn, ToolTurn, Turn, UserTurn } from './conversation.ts';
import { partsOfDataUrl } from './data-url.ts';
import { MADE_UP } from './read-gemini.ts';
import type { ToolDefinition } from './read-tools.ts';
import { jsonOrText, type RequestBody, type RequestWriter, schemaOf, stopsOf } from './request-body.ts';
import type { Settings } from './settings.ts';

/** Writes a request of Gemini's API. The body names the model, which clients name in the path. */
export const writeGemini: RequestWriter = (settings, turns, tools) => {
  const generationConfig = configOf(settings);
  return definedOf({
    model: settings.model,
    systemInstruction: settings.system ? { parts: [{ text: settings.system }] } : undefined,
    contents: turns.map(contentOf),
    tools: tools.length > 0 ? [{ functionDeclarations: tools.map(declarationOf) }] : undefined,
    generationConfig: Object.keys(generationConfig).length > 0 ? generationConfig : undefined,
  });
};

const declarationOf = ({ name, description, schema }: ToolDefinition): RequestBody => ({
  name,
  description,
  parametersJsonSchema: schema,
});

function configOf(settings: Settings): RequestBody {
  const schema = schemaOf(settings);
  return definedOf({
    maxOutputTokens: parseDecimal(settings.maxTokens),
    temperature: parseDecimal(settings.temperature),
    stopSequences: stopsOf(settings),
    thinkingConfig: settings.effort
      ? { includeThoughts: true, thinkingLevel: settings.effort.toUpperCase() }
      : undefined,
    responseMimeType: schema && 'application/json',
    responseJsonSchema: schema,
  });
}

function contentOf(turn: Turn): RequestBody {
  if (turn.role === 'assistant') return { role: 'model', parts: assistantParts(turn) };
  return { role: 'user', parts: turn.role === 'tool' ? resultParts(turn) : userParts(turn) };
}

const resultParts = ({ results }: ToolTurn): RequestBody[] =>
  results.map(({ id, name, text }) => ({
    functionResponse: { ...vendorId(id), name, response: { output: text } },
  }));

/** Images come first. A turn without images has its text even if it is empty. */
function userParts({ images, text }: UserTurn): RequestBody[] {
  const parts: RequestBody[] = images.map((url) => {
    const { mediaType, base64 } = partsOfDataUrl(url);
    return { inlineData: { mimeType: mediaType, data: base64 } };
  });
  return text || parts.length === 0 ? [...parts, { text }] : parts;
}

function assistantParts({ own, text, calls }: AssistantTurn): unknown {
  if (own?.dialect === 'gemini') return own.content;
  return [
    ...(text ? [{ text }] : []),
    ...calls.map(({ id, name, input }) => ({
      functionCall: { ...vendorId(id), name, args: jsonOrText(input) },
    })),
  ];
}

/** Most models of the vendor give calls no ids. */
const vendorId = (id: string): { id?: string } => (id.startsWith(MADE_UP) ? {} : { id });
