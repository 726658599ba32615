import type { AnswerReader } from './answer-reader.ts';
import type { AssistantTurn, ToolCall } from './conversation.ts';

type Part = { type: string; text?: string; refusal?: string };
type Item = {
  type: string;
  content?: Part[];
  summary?: Part[];
  call_id?: string;
  name?: string;
  arguments?: string;
};
type Response = { output?: Item[]; status?: string; incomplete_details?: { reason?: string } | null };
type Event = {
  type: string;
  output_index?: number;
  delta?: string;
  item?: Item;
  response?: Response;
};

/** Reads answers of the responses API, whole or as a stream. */
export function readResponses(): AnswerReader {
  const items: Item[] = [];
  let stop: string | null = null;
  const finish = ({ output = [], status, incomplete_details }: Response): AssistantTurn => {
    items.splice(0, items.length, ...output);
    stop = incomplete_details?.reason ?? status ?? null;
    return turnOf(items);
  };
  return {
    readEvent(data) {
      const { type, output_index: at = 0, delta = '', item, response } = data as Event;
      if (item && (type === 'response.output_item.added' || type === 'response.output_item.done'))
        items[at] = { ...item };
      if (type.endsWith('.delta') && items[at]) items[at] = grown(items[at], type, delta);
      const isEnd = type === 'response.completed' || type === 'response.incomplete';
      return isEnd && response ? finish(response) : turnOf(items);
    },
    readWhole: (answer) => finish(answer as Response),
    stopReason: () => stop,
  };
}

/**
 * Returns the item with a delta at the end of its last part. Its final form follows with `output_item.done`.
 */
function grown(item: Item, type: string, delta: string): Item {
  if (type === 'response.function_call_arguments.delta')
    return { ...item, arguments: (item.arguments ?? '') + delta };
  if (type === 'response.output_text.delta' || type === 'response.refusal.delta')
    return { ...item, content: [{ type: 'output_text', text: (item.content?.[0]?.text ?? '') + delta }] };
  if (type.startsWith('response.reasoning'))
    return { ...item, summary: [{ type: 'summary_text', text: (item.summary?.[0]?.text ?? '') + delta }] };
  return item;
}

function turnOf(all: readonly Item[]): AssistantTurn {
  const items = all.filter(Boolean);
  const texts = (parts: readonly Part[] = []) =>
    parts.map(({ text, refusal }) => text ?? refusal ?? '').join('');
  const calls = items.flatMap((item): ToolCall[] =>
    item.type === 'function_call'
      ? [{ id: item.call_id ?? '', name: item.name ?? '', input: item.arguments ?? '' }]
      : [],
  );
  return {
    role: 'assistant',
    text: items.flatMap((item) => (item.type === 'message' ? [texts(item.content)] : [])).join('\n\n'),
    thinking: items
      .flatMap((item) => (item.type === 'reasoning' ? [texts(item.summary) || texts(item.content)] : []))
      .filter(Boolean)
      .join('\n\n'),
    calls,
    own: { dialect: 'responses', content: items },
  };
}
