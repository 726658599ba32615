import type { GoogleGenAI } from '@google/genai';
import type { Json } from './call.ts';
import { type Ask, PDF, PNG, type Speaker, type SpokenAnswer, toolSchema } from './speaker.ts';

const inline = (mimeType: string, data: string) => ({ inlineData: { mimeType, data } });
const media = { image: inline('image/png', PNG), pdf: inline('application/pdf', PDF) };
const stops: Record<string, string> = { STOP: 'end', MAX_TOKENS: 'length' };

export const googleSpeaker = (client: GoogleGenAI): Speaker => ({
  name: 'gemini',
  thoughts: 'proven',
  user: (text, kind) => ({ role: 'user', parts: [...(kind ? [media[kind]] : []), { text }] }),
  results: ({ turn }, texts) => {
    const calls = turn.parts.filter(({ functionCall }: Json) => functionCall);
    const parts = calls.map(({ functionCall: { id, name } }: Json, at: number) => ({
      functionResponse: { id, name, response: { output: texts[at] } },
    }));
    return [{ role: 'user', parts }];
  },
  async ask(ask) {
    const body = bodyOf(ask);
    if (!ask.stream) return readAnswer([await client.models.generateContent(body as never)]);
    const chunks: Json[] = [];
    for await (const chunk of await client.models.generateContentStream(body as never)) chunks.push(chunk);
    return readAnswer(chunks);
  },
});

function bodyOf({ model, messages, tools, force, schema, thinks, maxTokens = 4_096 }: Ask): Json {
  const functionDeclarations = tools?.map((name) => ({ name, parametersJsonSchema: toolSchema }));
  const functionCallingConfig = {
    mode: 'ANY',
    ...(force !== 'any' && { allowedFunctionNames: [force] }),
  };
  return {
    model,
    contents: messages,
    config: {
      maxOutputTokens: maxTokens,
      ...(tools && { tools: [{ functionDeclarations }] }),
      ...(force && { toolConfig: { functionCallingConfig } }),
      ...(schema && { responseMimeType: 'application/json', responseJsonSchema: schema }),
      ...(thinks && { thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 } }),
    },
  };
}

function readAnswer(chunks: readonly Json[]): SpokenAnswer {
  const parts: Json[] = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
  const said = (isThought: boolean) =>
    parts
      .filter(({ text, thought }) => text !== undefined && (thought === true) === isThought)
      .map(({ text }) => text)
      .join('');
  const calls = parts.filter(({ functionCall }) => functionCall).map(({ functionCall }) => functionCall);
  const last = chunks.at(-1)!;
  const { finishReason } = last.candidates[0];
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount = 0 } = last.usageMetadata;
  return {
    text: said(false),
    thinking: said(true),
    calls: calls.map(({ name, args }) => ({ name, input: args })),
    stop: calls.length > 0 && finishReason === 'STOP' ? 'tools' : (stops[finishReason] ?? finishReason),
    usage: { input: promptTokenCount, output: candidatesTokenCount + thoughtsTokenCount },
    turn: { role: 'model', parts },
  };
}
