import type { Turn } from './conversation.ts';
import { readSchema } from './read-schema.ts';
import type { ToolDefinition } from './read-tools.ts';
import type { Settings } from './settings.ts';

export type RequestBody = Readonly<Record<string, unknown>>;

/** Writes a request in one dialect. */
export type RequestWriter = (
  settings: Settings,
  turns: readonly Turn[],
  tools: readonly ToolDefinition[],
) => RequestBody;

/** Returns the stop sequences, or undefined if there are none. */
export function stopsOf({ stop }: Settings): string[] | undefined {
  const lines = stop.split('\n').filter((line) => line !== '');
  return lines.length > 0 ? lines : undefined;
}

/** Returns the JSON schema of the answer, or undefined if the field is empty or not valid. */
export function schemaOf({ schema }: Settings): Record<string, unknown> | undefined {
  const read = readSchema(schema);
  return 'schema' in read ? read.schema : undefined;
}

/** Returns the written items, or undefined for an empty list, whose member is left out. */
export const mapUnlessEmpty = <Item, Written>(
  items: readonly Item[],
  write: (item: Item) => Written,
): Written[] | undefined => (items.length > 0 ? items.map(write) : undefined);

/** Returns the input of a tool call. Text that is not valid JSON stays a text. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch {
    return text;
  }
}
