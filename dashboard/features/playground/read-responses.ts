import type { AnswerReader } from './answer-reader.ts';
import type { AssistantTurn, ToolCall } from './conversation.ts';

type ContentPart = { type: string; text?: string; refusal?: string };
type OutputItem = {
  type: string;
  content?: ContentPart[];
  summary?: ContentPart[];
  call_id?: string;
  name?: string;
  arguments?: string;
};
type WholeResponse = {
  output?: OutputItem[];
  status?: string;
  incomplete_details?: { reason?: string } | null;
};
type StreamEvent = {
  type: string;
  output_index?: number;
  delta?: string;
  item?: OutputItem;
  response?: WholeResponse;
};

/** Reads answers of the responses API, whole or as a stream. */
export function readResponses(): AnswerReader {
  let items: OutputItem[] = [];
  let stopReason: string | null = null;
  const readWhole = ({ output = [], status, incomplete_details }: WholeResponse): AssistantTurn => {
    items = output;
    stopReason = incomplete_details?.reason ?? status ?? null;
    return turnOf(items);
  };
  return {
    readEvent(data) {
      const { type, output_index: index = 0, delta = '', item, response } = data as StreamEvent;
      if (response && (type === 'response.completed' || type === 'response.incomplete'))
        return readWhole(response);
      if (item && (type === 'response.output_item.added' || type === 'response.output_item.done'))
        items[index] = item;
      const openItem = items[index];
      if (openItem && type.endsWith('.delta')) items[index] = withDelta(openItem, type, delta);
      return turnOf(items);
    },
    readWhole: (answer) => readWhole(answer as WholeResponse),
    stopReason: () => stopReason,
  };
}

/**
 * Returns the item with a delta at its end. All parts of an item are one meanwhile:
 * `output_item.done` replaces the item by its final form.
 */
function withDelta(item: OutputItem, eventType: string, delta: string): OutputItem {
  const appended = (parts: OutputItem['content'], type: string): ContentPart[] => [
    { type, text: (parts?.[0]?.text ?? '') + delta },
  ];
  if (eventType === 'response.function_call_arguments.delta')
    return { ...item, arguments: (item.arguments ?? '') + delta };
  if (eventType === 'response.output_text.delta' || eventType === 'response.refusal.delta')
    return { ...item, content: appended(item.content, 'output_text') };
  if (eventType.startsWith('response.reasoning'))
    return { ...item, summary: appended(item.summary, 'summary_text') };
  return item;
}

/** Makes a turn of the items. An item that has not begun is a hole in the list. */
function turnOf(sparseItems: readonly OutputItem[]): AssistantTurn {
  const items = sparseItems.filter(Boolean);
  const ofType = (type: string): OutputItem[] => items.filter((item) => item.type === type);
  return {
    role: 'assistant',
    text: ofType('message')
      .map(({ content }) => textOf(content))
      .join('\n\n'),
    thinking: ofType('reasoning')
      .map(({ summary, content }) => textOf(summary) || textOf(content))
      .filter(Boolean)
      .join('\n\n'),
    calls: ofType('function_call').map(callOf),
    own: { dialect: 'responses', content: items },
  };
}

const textOf = (parts: readonly ContentPart[] = []): string =>
  parts.map(({ text, refusal }) => text ?? refusal ?? '').join('');

const callOf = ({ call_id = '', name = '', arguments: input = '' }: OutputItem): ToolCall => ({
  id: call_id,
  name,
  input,
});
