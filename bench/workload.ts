import { writtenTexts } from '../src/translation/tokens/testing/written-texts.ts';

/** The requests to every system and the answers of the upstream. The bytes are the same in every run. */

const instructions =
  'You are a careful assistant for a platform team. Answer briefly and never invent a figure. ';
const question =
  'Please explain how the limiter decides whether a request is admitted at the edge of a window. ';
const answer =
  'It counts the requests of the last sixty seconds in a ring of one-second slots, ' +
  'and refuses the one that would go past the limit. ';

const turns = [
  { role: 'user', content: `${question}First for a single key.` },
  { role: 'assistant', content: answer.repeat(2) },
  { role: 'user', content: `${question}Then for an account with three keys.` },
  { role: 'assistant', content: answer.repeat(2) },
  { role: 'user', content: question },
];

export const modelId = 'bench-model';

const system = instructions.repeat(4);

const chat = {
  model: modelId,
  messages: [{ role: 'system', content: system }, ...turns],
  max_tokens: 256,
  temperature: 0.2,
};

const passages = [
  'formal English',
  'TypeScript',
  'technical English',
  'Python',
  'plain English',
  'YAML',
  'Java',
];
const passage = (index: number, repetitions: number) =>
  writtenTexts[passages[index % passages.length]!]!.repeat(repetitions);

/**
 * The conversation of a coding agent: a long system prompt, many tools, and turns of very different length.
 */
const agentChat = {
  model: modelId,
  messages: [
    { role: 'system', content: passage(0, 40) },
    ...Array.from({ length: 60 }, (_, turn) => ({
      role: turn % 2 === 0 ? 'user' : 'assistant',
      content: passage(turn, 1 + ((turn * 7) % 12)),
    })),
    { role: 'user', content: question },
  ],
  tools: Array.from({ length: 40 }, (_, index) => ({
    type: 'function',
    function: {
      name: `tool_${index}`,
      description: passage(0, 1),
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  })),
  max_tokens: 256,
};

/** Request bodies of about 1.5 KB: a system prompt and a few turns. That of `agent` has about 250 KB. */
export const requestBodies = {
  agent: JSON.stringify(agentChat),
  unary: JSON.stringify(chat),
  stream: JSON.stringify({ ...chat, stream: true, stream_options: { include_usage: true } }),
  messages: JSON.stringify({ model: modelId, max_tokens: 256, stream: true, system, messages: turns }),
};

const identity = {
  id: 'chatcmpl-BxYq3mVf0kq1T6wJ8bQnZ4uHcR2Ls',
  created: 1763720000,
  model: 'bench-upstream',
  service_tier: 'default',
  system_fingerprint: 'fp_6f2eabb9a5',
};

const usage = {
  prompt_tokens: 312,
  completion_tokens: 97,
  total_tokens: 409,
  prompt_tokens_details: { cached_tokens: 128, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
};

export const unaryAnswer = JSON.stringify({
  ...identity,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: answer.trim(), refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage,
});

/** The events of a stream that have text. */
export const contentEvents = 97;

const formatFrame = (value: object) =>
  `data: ${JSON.stringify({ ...identity, object: 'chat.completion.chunk', ...value })}\n\n`;

const formatDelta = (delta: object, finish: string | null = null) =>
  formatFrame({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], usage: null });

/** A stream of 100 events with content or usage, and the end marker. */
export const streamFrames: readonly string[] = [
  formatDelta({ role: 'assistant', content: '', refusal: null }),
  ...Array.from({ length: contentEvents }, (_, index) => formatDelta({ content: ` word${index}` })),
  formatDelta({}, 'stop'),
  formatFrame({ choices: [], usage }),
  'data: [DONE]\n\n',
];
