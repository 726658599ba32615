import type { GoogleGenAI } from '@google/genai';
import type { Json } from './call.ts';
import { type Ask, PDF, PNG, type Speaker, type SpokenAnswer, toolSchema } from './speaker.ts';

const media = {
  image: { type: 'image', mime_type: 'image/png', data: PNG },
  pdf: { type: 'document', mime_type: 'application/pdf', data: PDF },
};
const stops: Record<string, string> = { completed: 'end', incomplete: 'length', requires_action: 'tools' };

/** The Interactions API, used through its official client. Turns are lists of steps. */
export const interactionsSpeaker = (client: GoogleGenAI): Speaker => ({
  name: 'interactions',
  thoughts: 'proven',
  user: (text, kind) => ({
    steps: [{ type: 'user_input', content: [...(kind ? [media[kind]] : []), { type: 'text', text }] }],
  }),
  results: ({ turn }, texts) => {
    const calls = turn.steps.filter(({ type }: Json) => type === 'function_call');
    const steps = calls.map(({ id, name }: Json, at: number) => ({
      type: 'function_result',
      call_id: id,
      name,
      result: [{ type: 'text', text: texts[at] }],
    }));
    return [{ steps }];
  },
  async ask(ask) {
    const body = bodyOf(ask);
    if (!ask.stream) return readAnswer(await client.interactions.create(body as never));
    const events: Json[] = [];
    for await (const event of (await client.interactions.create(body as never)) as Json) events.push(event);
    return readAnswer(joinEvents(events));
  },
});

function bodyOf({ model, messages, stream, tools, force, schema, thinks, maxTokens = 4_096 }: Ask): Json {
  return {
    model,
    stream,
    store: false,
    input: messages.flatMap(({ steps }) => steps),
    ...(tools && { tools: tools.map((name) => ({ type: 'function', name, parameters: toolSchema })) }),
    ...(schema && { response_format: { type: 'text', mime_type: 'application/json', schema } }),
    generation_config: {
      max_output_tokens: maxTokens,
      ...(force && {
        tool_choice: force === 'any' ? 'any' : { allowed_tools: { mode: 'any', tools: [force] } },
      }),
      ...(thinks && { thinking_level: 'low', thinking_summaries: 'auto' }),
    },
  };
}

/** Joins the events of a stream into its interaction. The steps come only from the events of steps. */
function joinEvents(events: readonly Json[]): Json {
  const steps: Json[] = [];
  for (const { event_type, index, step, delta } of events) {
    if (event_type === 'step.start') steps[index] = structuredClone(step);
    if (event_type === 'step.delta') grow(steps[index], delta);
    if (event_type === 'step.stop' && steps[index].written) {
      const { written, ...call } = steps[index];
      steps[index] = { ...call, arguments: JSON.parse(written) };
    }
  }
  const last = events.find(({ event_type }) => event_type === 'interaction.completed');
  if (!last) throw new Error(`the stream has no end: ${JSON.stringify(events.at(-1))}`);
  return { ...last.interaction, steps };
}

function grow(step: Json, delta: Json): void {
  if (delta.type === 'text') {
    step.content ??= [{ type: 'text', text: '' }];
    step.content[0].text += delta.text;
  }
  if (delta.type === 'thought_summary') step.summary = [...(step.summary ?? []), delta.content];
  if (delta.type === 'thought_signature') step.signature = delta.signature;
  if (delta.type === 'arguments_delta') step.written = (step.written ?? '') + delta.arguments;
}

function readAnswer({ steps, status, usage }: Json): SpokenAnswer {
  const ofType = (type: string): Json[] => steps.filter((step: Json) => step.type === type);
  const textIn = (list: readonly Json[] = []) => list.map(({ text }) => text ?? '').join('');
  return {
    text: ofType('model_output')
      .map(({ content }) => textIn(content))
      .join(''),
    thinking: ofType('thought')
      .map(({ summary }) => textIn(summary))
      .join(''),
    calls: ofType('function_call').map(({ name, arguments: input }) => ({ name, input })),
    stop: stops[status] ?? status,
    usage: {
      input: usage.total_input_tokens,
      output: usage.total_output_tokens + usage.total_thought_tokens,
    },
    turn: { steps },
  };
}
