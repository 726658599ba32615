import type { ObservedAnswer } from './observed-answer.ts';
import type { Json, ParsedFrame } from './parse-frames.ts';
import type { SimulatorRequest } from './simulator-request.ts';
import type { TestClient } from './test-client.ts';

const MODES: Record<string, string> = { any: 'any', none: 'none' };

function body({
  text,
  model,
  stream,
  maxTokens,
  stops,
  tools,
  choice,
  schema,
  ...ask
}: SimulatorRequest): object {
  const content = [
    { type: 'text', text },
    ...(ask.image ? [{ type: 'image', mime_type: 'image/png', data: ask.image }] : []),
    ...(ask.document ? [{ type: 'document', mime_type: 'application/pdf', data: ask.document }] : []),
  ];
  const named = { allowed_tools: { mode: 'any', tools: [choice] } };
  return {
    model,
    input: [{ type: 'user_input', content }],
    store: false,
    ...(ask.system && { system_instruction: ask.system }),
    ...(stream && { stream }),
    ...(tools && {
      tools: tools.map(({ name, schema: parameters }) => ({ type: 'function', name, parameters })),
    }),
    ...(schema && { response_format: { type: 'text', mime_type: 'application/json', schema } }),
    generation_config: {
      ...(maxTokens && { max_output_tokens: maxTokens }),
      ...(stops && { stop_sequences: stops }),
      ...(choice && { tool_choice: MODES[choice] ?? named }),
      ...(ask.reasoning && { thinking_level: 'low', thinking_summaries: 'auto' }),
    },
  };
}

function observe({ steps, status, usage }: Json): ObservedAnswer {
  const ofType = (type: string): Json[] => steps.filter((step: Json) => step.type === type);
  const textIn = (list: readonly Json[] = []) => list.map(({ text }) => text ?? '').join('');
  const [thought] = ofType('thought');
  return {
    text: ofType('model_output')
      .map(({ content }) => textIn(content))
      .join(''),
    thinking: textIn(thought?.summary),
    signature: thought?.signature ?? '',
    calls: ofType('function_call').map(({ name, arguments: input }) => ({ name, input })),
    stop: status,
    usage: usage && {
      input: usage.total_input_tokens,
      cached: usage.total_cached_tokens,
      output: usage.total_output_tokens + usage.total_thought_tokens,
    },
  };
}

/** Adds what a delta brings to its step. */
function grow(step: Json, delta: Json): void {
  if (delta.type === 'text') step.content = [...(step.content ?? []), delta];
  if (delta.type === 'thought_summary') step.summary = [...(step.summary ?? []), delta.content];
  if (delta.type === 'thought_signature') step.signature = delta.signature;
  if (delta.type === 'arguments_delta') step.written = (step.written ?? '') + delta.arguments;
}

/** Reads the events of a stream. It checks that they have ids and that each step is begun and ended. */
function observeStream(frames: ParsedFrame[]): ObservedAnswer {
  const events = frames.map(({ body: one }) => one).filter((one) => one.event_type !== undefined);
  if (events.some(({ event_id }) => event_id === undefined)) throw new Error('an event without an id');
  const steps: Json[] = [];
  let ended = 0;
  for (const { event_type, index, step, delta } of events) {
    if (event_type === 'step.start') steps[index] = { ...step };
    if (event_type === 'step.delta') grow(steps[index], delta);
    if (event_type === 'step.stop') ended++;
  }
  if (ended !== steps.length) throw new Error('a step that does not end');
  for (const step of steps) if (step.written) step.arguments = JSON.parse(step.written);
  const last = events.find(({ event_type }) => event_type === 'interaction.completed')!;
  return observe({ ...last.interaction, steps });
}

export const INTERACTIONS_CLIENT: TestClient = {
  wire: 'google-interactions',
  path: () => '/v1beta/interactions',
  body,
  observe,
  observeStream,
  ending: (frames) => frames.at(-1)?.name,
  stops: {
    end: 'completed',
    length: 'incomplete',
    'stop-sequence': 'completed',
    'tool-calls': 'requires_action',
  },
  badBody: { model: 'm', input: [] },
  errorMessage: (answer) => answer.error.message,
};
