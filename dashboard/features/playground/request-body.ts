import type { Turn } from './conversation.ts';
import type { ToolDefinition } from './read-tools.ts';
import type { Settings } from './settings.ts';

export type RequestBody = Readonly<Record<string, unknown>>;

/** Writes a request in one dialect. */
export type RequestWriter = (
  settings: Settings,
  turns: readonly Turn[],
  tools: readonly ToolDefinition[],
) => RequestBody;

/** Returns the number of a field, or undefined if it has none. */
export function numberOf(text: string): number | undefined {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? undefined : number;
}

/** Returns the stop sequences, or undefined if there are none. */
export function stopsOf({ stop }: Settings): string[] | undefined {
  const lines = stop.split('\n').filter((line) => line !== '');
  return lines.length > 0 ? lines : undefined;
}

/** Returns the items of a member that is left out if it has none. */
export const itemsOrNone = <Item, Written>(
  items: readonly Item[],
  write: (item: Item) => Written,
): Written[] | undefined => (items.length > 0 ? items.map(write) : undefined);

/** Returns the input of a tool call. Text that is not valid JSON is kept as it is. */
export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch {
    return text;
  }
}
