import type { JsonObject } from '../../../base/json/json-body.ts';
import { isObject, listOf, objectOf } from '../../../base/json/read-json.ts';
import type { AnswerLabel } from '../answer-label.ts';

type Names = Pick<AnswerLabel, 'model' | 'nameModel'>;

/**
 * Replaces the vendor's names of other models in a block that hands over to one. Undefined for other blocks. A model
 * that the catalog does not list gets the name of the asked one.
 */
export function renameInBlock(block: unknown, names: Names): JsonObject | undefined {
  const fields = objectOf(block);
  if (fields.type !== 'fallback') return undefined;
  return { ...fields, ...renamedAt(fields, 'from', names), ...renamedAt(fields, 'to', names) };
}

/** Does the same in the content of a whole message. Undefined if nothing changes. */
export function renameInContent(content: unknown, names: Names): unknown[] | undefined {
  const blocks = listOf(content);
  if (!blocks.some((block) => objectOf(block).type === 'fallback')) return undefined;
  return blocks.map((block) => renameInBlock(block, names) ?? block);
}

/** Does the same in the iterations of a usage report. */
export function renameInUsage(usage: unknown, names: Names): JsonObject | undefined {
  const report = objectOf(usage);
  const iterations = listOf(report.iterations);
  if (!iterations.some((one) => typeof objectOf(one).model === 'string')) return undefined;
  return { ...report, iterations: iterations.map((one) => renamed(one, names)) };
}

const renamedAt = (holder: JsonObject, key: string, names: Names): JsonObject =>
  isObject(holder[key]) ? { [key]: renamed(holder[key], names) } : {};

function renamed(value: unknown, { model, nameModel }: Names): unknown {
  const fields = objectOf(value);
  const { model: name } = fields;
  return typeof name === 'string' ? { ...fields, model: nameModel?.(name) ?? model } : value;
}
