import type { ObservedAnswer } from './observed-answer.ts';
import type { Json, ParsedFrame } from './parse-frames.ts';
import type { SimulatorRequest } from './simulator-request.ts';
import type { TestClient } from './test-client.ts';

/** This wire has no tool choice `none`. Its clients omit the tools instead. */
function body({ text, maxTokens, stops, tools, choice, schema, ...ask }: SimulatorRequest): object {
  const content = [
    { text },
    ...(ask.image ? [{ image: { format: 'png', source: { bytes: ask.image } } }] : []),
    ...(ask.document ? [{ document: { format: 'pdf', name: 'a', source: { bytes: ask.document } } }] : []),
  ];
  const toolConfig = {
    tools: tools?.map(({ name, schema: json }) => ({ toolSpec: { name, inputSchema: { json } } })),
    ...(choice && { toolChoice: choice === 'any' ? { any: {} } : { tool: { name: choice } } }),
  };
  const structure = { jsonSchema: { name: 'answer', schema: JSON.stringify(schema) } };
  return {
    messages: [{ role: 'user', content }],
    ...(ask.system && { system: [{ text: ask.system }, { cachePoint: { type: 'default' } }] }),
    inferenceConfig: { ...(maxTokens && { maxTokens }), ...(stops && { stopSequences: stops }) },
    ...(tools && choice !== 'none' && { toolConfig }),
    ...(schema && { outputConfig: { textFormat: { type: 'json_schema', structure } } }),
    ...(ask.reasoning && {
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1_024 } },
    }),
  };
}

const usageOf = (usage: Json): ObservedAnswer['usage'] =>
  usage && {
    input: usage.totalTokens - usage.outputTokens,
    cached: usage.cacheReadInputTokens,
    output: usage.outputTokens,
  };

function observe(answer: Json): ObservedAnswer {
  const blocks: Json[] = answer.output.message.content;
  const thought = blocks.find(({ reasoningContent }) => reasoningContent)?.reasoningContent.reasoningText;
  return {
    text: blocks.map(({ text }) => text ?? '').join(''),
    thinking: thought?.text ?? '',
    signature: thought?.signature ?? '',
    calls: blocks.flatMap(({ toolUse: use }) => (use ? [{ name: use.name, input: use.input }] : [])),
    stop: answer.stopReason,
    usage: usageOf(answer.usage),
  };
}

function observeStream(frames: ParsedFrame[]): ObservedAnswer {
  const named = (name: string): Json[] =>
    frames.filter((frame) => frame.name === name).map((frame) => frame.body);
  const deltas = named('contentBlockDelta');
  const joined = (pick: (delta: Json) => string | undefined) =>
    deltas.map(({ delta }) => pick(delta) ?? '').join('');
  const inputOf = (index: number) =>
    deltas
      .map(({ contentBlockIndex, delta }) => (contentBlockIndex === index ? delta.toolUse.input : ''))
      .join('');
  return {
    text: joined(({ text }) => text),
    thinking: joined(({ reasoningContent }) => reasoningContent?.text),
    signature: joined(({ reasoningContent }) => reasoningContent?.signature),
    calls: named('contentBlockStart').map(({ contentBlockIndex: index, start }) => ({
      name: start.toolUse.name,
      input: JSON.parse(inputOf(index)),
    })),
    stop: named('messageStop')[0].stopReason,
    usage: usageOf(named('metadata')[0].usage),
  };
}

export const CONVERSE_CLIENT: TestClient = {
  wire: 'bedrock-converse',
  path: (model, { stream }) =>
    `/model/${encodeURIComponent(model)}/${stream ? 'converse-stream' : 'converse'}`,
  body,
  observe,
  observeStream,
  ending: (frames) => frames.at(-1)?.name,
  stops: {
    end: 'end_turn',
    length: 'max_tokens',
    'stop-sequence': 'stop_sequence',
    'tool-calls': 'tool_use',
  },
  badBody: { messages: [{ role: 'user', content: [{ text: ' ' }] }] },
  errorMessage: (answer) => answer.message,
};
