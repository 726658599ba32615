import type { ObservedAnswer } from './observed-answer.ts';
import type { Json, ParsedFrame } from './parse-frames.ts';
import type { SimulatorRequest } from './simulator-request.ts';
import type { TestClient } from './test-client.ts';

/** The choices that name no tool. */
const CHOICES: Readonly<Record<string, string>> = { any: 'required', none: 'none' };

function body({ text, model, stream, maxTokens, tools, choice, schema, ...ask }: SimulatorRequest): object {
  const pdf = `data:application/pdf;base64,${ask.document}`;
  const content = [
    { type: 'input_text', text },
    ...(ask.image ? [{ type: 'input_image', image_url: `data:image/png;base64,${ask.image}` }] : []),
    ...(ask.document ? [{ type: 'input_file', filename: 'a.pdf', file_data: pdf }] : []),
  ];
  const named = { type: 'function', name: choice };
  return {
    model,
    input: [{ role: 'user', content }],
    ...(ask.system && { instructions: ask.system }),
    ...(stream && { stream }),
    ...(maxTokens && { max_output_tokens: maxTokens }),
    ...(tools && {
      tools: tools.map(({ name, schema: parameters }) => ({ type: 'function', name, parameters })),
    }),
    ...(choice && { tool_choice: CHOICES[choice] ?? named }),
    ...(schema && { text: { format: { type: 'json_schema', name: 'answer', schema } } }),
    ...(ask.reasoning && {
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    }),
  };
}

function observe({ output, status, usage }: Json): ObservedAnswer {
  const items = (type: string): Json[] => output.filter((item: Json) => item.type === type);
  const [thought] = items('reasoning');
  return {
    text: items('message')
      .map((item) => item.content[0].text)
      .join(''),
    thinking: thought?.summary[0]?.text ?? '',
    signature: thought?.encrypted_content ?? '',
    calls: items('function_call').map(({ name, arguments: input }) => ({ name, input: JSON.parse(input) })),
    stop: status,
    usage: usage && {
      input: usage.input_tokens,
      cached: usage.input_tokens_details.cached_tokens,
      output: usage.output_tokens,
    },
  };
}

/**
 * Reads the events of a stream. It checks that the deltas add up to the whole and that the events are
 * numbered in order.
 */
function observeStream(frames: ParsedFrame[]): ObservedAnswer {
  const whole = observe(frames.at(-1)!.body.response);
  const joined = (type: string) =>
    frames.map((frame) => (frame.name === `response.${type}.delta` ? frame.body.delta : '')).join('');
  const inputs = whole.calls.map(({ input }) => JSON.stringify(input)).join('');
  if (joined('function_call_arguments') !== inputs)
    throw new Error('the deltas of arguments differ from the whole');
  if (frames.some((frame, at) => frame.body.sequence_number !== at))
    throw new Error('wrong sequence numbers');
  return { ...whole, text: joined('output_text'), thinking: joined('reasoning_summary_text') };
}

export const RESPONSES_CLIENT: TestClient = {
  wire: 'openai-responses',
  path: () => '/v1/responses',
  body,
  observe,
  observeStream,
  ending: (frames) => frames.at(-1)?.name,
  stops: { end: 'completed', length: 'incomplete', 'tool-calls': 'completed' },
  badBody: { model: 'm', input: [] },
  errorMessage: (answer) => answer.error.message,
};
