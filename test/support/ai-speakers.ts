import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, type LanguageModel, Output, streamText, tool } from 'ai';
import type { Json } from './call.ts';
import { type Ask, PDF, PNG, type Speaker, type SpokenAnswer, toolSchema } from './speaker.ts';

type Voice = {
  name: string;
  model(id: string): LanguageModel;
  /** The options that request reasoning. */
  thinking: Json;
  thoughts: Speaker['thoughts'];
};

const voices = (url: string, apiKey: string): Voice[] => {
  const baseURL = `${url}/v1`;
  const openai = createOpenAI({ apiKey, baseURL });
  const anthropic = createAnthropic({ apiKey, baseURL });
  const compatible = createOpenAICompatible({
    name: 'gateway',
    apiKey,
    baseURL,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  const effort = { reasoningEffort: 'low', forceReasoning: true };
  const kept = { store: false, include: ['reasoning.encrypted_content'] };
  return [
    { name: 'openai chat', model: openai.chat, thinking: { openai: effort }, thoughts: 'unseen' },
    {
      name: 'openai responses',
      model: openai.responses,
      thinking: { openai: { ...effort, ...kept, reasoningSummary: 'auto' } },
      thoughts: 'proven',
    },
    {
      name: 'anthropic',
      model: anthropic,
      thinking: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1_024 } } },
      thoughts: 'proven',
    },
    {
      name: 'openai-compatible',
      model: compatible,
      thinking: { gateway: { reasoningEffort: 'low' } },
      thoughts: 'unproven',
    },
  ];
};

/** The AI SDK, through each of its ways to speak to a gateway. */
export const aiSpeakers = (url: string, apiKey: string): Speaker[] => voices(url, apiKey).map(speakerOf);

const media: Record<'image' | 'pdf', Json> = {
  image: { type: 'image', image: PNG, mediaType: 'image/png' },
  pdf: { type: 'file', data: PDF, mediaType: 'application/pdf', filename: 'a.pdf' },
};

const speakerOf = ({ name, model, thinking, thoughts }: Voice): Speaker => ({
  name: `the AI SDK for ${name}`,
  thoughts,
  user: (text, kind) => ({
    role: 'user',
    content: [...(kind ? [media[kind]] : []), { type: 'text', text }],
  }),
  results: ({ turn }, texts) => [
    {
      role: 'tool',
      content: callsIn(turn).map(({ toolCallId, toolName }, at) => ({
        type: 'tool-result',
        toolCallId,
        toolName,
        output: { type: 'text', value: texts[at] },
      })),
    },
  ],
  async ask(ask) {
    const request = {
      ...bodyOf(ask),
      model: model(ask.model),
      ...(ask.thinks && { providerOptions: thinking }),
    };
    if (!ask.stream) return readAnswer(await generateText(request));
    let failure: unknown;
    const result = streamText({ ...request, onError: ({ error }) => (failure ??= error) });
    // All are awaited together, since each rejects on an empty answer.
    // Errors after some text are only reported.
    const [text, reasoningText, toolCalls, finishReason, usage, response] = await Promise.all([
      result.text,
      result.reasoningText,
      result.toolCalls,
      result.finishReason,
      result.usage,
      result.response,
    ]);
    if (failure !== undefined) throw failure;
    return readAnswer({ text, reasoningText, toolCalls, finishReason, usage, response });
  },
});

const callsIn = (turn: Json): Json[] =>
  turn.flatMap(({ content }: Json) => content.filter(({ type }: Json) => type === 'tool-call'));

const weatherTool = tool({ inputSchema: jsonSchema(toolSchema) });

const bodyOf = ({ messages, tools, force, schema, maxTokens = 4_096 }: Ask): Json => ({
  messages: messages.flat(),
  maxRetries: 0,
  maxOutputTokens: maxTokens,
  ...(tools && { tools: Object.fromEntries(tools.map((name) => [name, weatherTool])) }),
  ...(force && { toolChoice: force === 'any' ? 'required' : { type: 'tool', toolName: force } }),
  ...(schema && { output: Output.object({ schema: jsonSchema(schema) }) }),
});

const stops: Record<string, string> = { stop: 'end', 'tool-calls': 'tools' };

const readAnswer = ({
  text,
  reasoningText,
  toolCalls,
  finishReason,
  usage,
  response,
}: Json): SpokenAnswer => ({
  text,
  thinking: reasoningText ?? '',
  calls: toolCalls.map(({ toolName, input }: Json) => ({ name: toolName, input })),
  stop: stops[finishReason] ?? finishReason,
  usage: { input: usage.inputTokens, output: usage.outputTokens },
  turn: response.messages,
});
