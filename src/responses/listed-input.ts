import { itemsOf } from './item-texts.ts';
import type { Turn } from './stored-response.ts';

export type ListedItem = Record<string, unknown> & { id: string };

/** What ids of items begin with, by the type of the item. */
const prefixes: Record<string, string> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
};

/** Everything that the model was given for the last of the turns, each item with an id; reasoning that was not shown stays out. */
export function listedInput(responseId: string, turns: readonly Turn[]): ListedItem[] {
  const items = turns.flatMap(({ input, output }, at) => {
    const said = itemsOf(input).map(({ value }) => value);
    const isLast = at === turns.length - 1;
    return isLast ? said : [...said, ...itemsOf(output).flatMap(({ value }) => shownItem(value))];
  });
  return items.map((item, index) => listedItem(item, `${responseId.replace(/^resp_/, '')}_in${index}`));
}

const shownItem = (item: Record<string, unknown>): Record<string, unknown>[] =>
  item.type === 'reasoning' ? [] : [item];

function listedItem(item: Record<string, unknown>, name: string): ListedItem {
  const type = String(item.type ?? 'message');
  const id = typeof item.id === 'string' ? item.id : `${prefixes[type] ?? 'item'}_${name}`;
  if (type !== 'message') return { status: 'completed', ...item, id };
  return { status: 'completed', ...item, type, id, content: contentOf(item) };
}

function contentOf({ role, content }: Record<string, unknown>): unknown {
  if (typeof content !== 'string') return content ?? [];
  return role === 'assistant'
    ? [{ type: 'output_text', text: content, annotations: [] }]
    : [{ type: 'input_text', text: content }];
}
