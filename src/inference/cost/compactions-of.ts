import { listOf, objectOf, textOf } from '../../base/json/read-json.ts';

/** Counts the compactions that a request asks for: edits of its context, and its own member. */
export function compactionsOf({
  context_management: management,
  compaction,
}: Readonly<Record<string, unknown>>): number {
  const edits = Array.isArray(management) ? management : listOf(objectOf(management).edits);
  const compacts = (edit: unknown) => textOf(objectOf(edit).type)?.startsWith('compact') === true;
  return edits.filter(compacts).length + (compaction == null ? 0 : 1);
}
