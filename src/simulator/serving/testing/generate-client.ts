import type { ObservedAnswer } from './observed-answer.ts';
import type { Json, ParsedFrame } from './parse-frames.ts';
import type { SimulatorRequest } from './simulator-request.ts';
import type { TestClient } from './test-client.ts';

const MODES: Record<string, string> = { any: 'ANY', none: 'NONE' };

function body({ text, maxTokens, stops, tools, choice, schema, ...ask }: SimulatorRequest): object {
  const parts = [
    { text },
    ...(ask.image ? [{ inlineData: { mimeType: 'image/png', data: ask.image } }] : []),
    ...(ask.document ? [{ inlineData: { mimeType: 'application/pdf', data: ask.document } }] : []),
  ];
  const functionCallingConfig = choice && {
    mode: MODES[choice] ?? 'ANY',
    ...(!MODES[choice] && { allowedFunctionNames: [choice] }),
  };
  return {
    contents: [{ role: 'user', parts }],
    ...(ask.system && { systemInstruction: { parts: [{ text: ask.system }] } }),
    ...(tools && {
      tools: [{ functionDeclarations: tools.map(({ name, schema: parameters }) => ({ name, parameters })) }],
    }),
    ...(choice && { toolConfig: { functionCallingConfig } }),
    generationConfig: {
      ...(maxTokens && { maxOutputTokens: maxTokens }),
      ...(stops && { stopSequences: stops }),
      ...(schema && { responseMimeType: 'application/json', responseJsonSchema: schema }),
      ...(ask.reasoning && { thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' } }),
    },
  };
}

function observeStream(frames: ParsedFrame[]): ObservedAnswer {
  const candidates: Json[] = frames.map((frame) => frame.body.candidates[0]);
  const parts: Json[] = candidates.flatMap(({ content }) => content.parts);
  const usage = frames.at(-1)!.body.usageMetadata;
  const joined = (thought: boolean) =>
    parts.map((part) => (Boolean(part.thought) === thought ? (part.text ?? '') : '')).join('');
  return {
    text: joined(false),
    thinking: joined(true),
    signature: parts.map(({ thoughtSignature }) => thoughtSignature).find(Boolean) ?? '',
    calls: parts.flatMap(({ functionCall: call }) => (call ? [{ name: call.name, input: call.args }] : [])),
    stop: candidates.at(-1).finishReason,
    usage: usage && {
      input: usage.promptTokenCount,
      cached: usage.cachedContentTokenCount ?? 0,
      output: usage.candidatesTokenCount + (usage.thoughtsTokenCount ?? 0),
    },
  };
}

export const GENERATE_CLIENT: TestClient = {
  wire: 'google-generate',
  path: (model, { stream }) => {
    const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    return `/v1beta/models/${encodeURIComponent(model)}:${action}`;
  },
  body,
  observe: (answer) => observeStream([{ name: '', body: answer }]),
  observeStream,
  ending: (frames) => Boolean(frames.at(-1)?.body.candidates?.[0].finishReason),
  stops: { end: 'STOP', length: 'MAX_TOKENS', 'stop-sequence': 'STOP', 'tool-calls': 'STOP' },
  badBody: { contents: [{ parts: [{ text: 'hi' }] }], unheard: 1 },
  errorMessage: (answer) => answer.error.message,
};
