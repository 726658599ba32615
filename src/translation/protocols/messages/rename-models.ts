import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';

type Names = Pick<AnswerLabel, 'nameModel'>;

/**
 * Replaces the vendor's names of models in a block that hands over to another model. Returns undefined for
 * other blocks. Names that the catalog does not have stay: the client or the vendor chose these models.
 */
export function renameInBlock(block: unknown, names: Names): JsonObject | undefined {
  const fields = objectOf(block);
  if (fields.type !== 'fallback') return undefined;
  return { ...fields, ...renameAt(fields, 'from', names), ...renameAt(fields, 'to', names) };
}

/** Replaces the names in the content of a whole message. Returns undefined if no block has any. */
export function renameInContent(content: unknown, names: Names): unknown[] | undefined {
  const blocks = listOf(content);
  if (!blocks.some((block) => objectOf(block).type === 'fallback')) return undefined;
  return blocks.map((block) => renameInBlock(block, names) ?? block);
}

/** Replaces the names in the iterations of a usage report. Returns undefined for iterations without names. */
export function renameInUsage(usage: unknown, names: Names): JsonObject | undefined {
  const report = objectOf(usage);
  const iterations = listOf(report.iterations);
  if (!iterations.some((iteration) => typeof objectOf(iteration).model === 'string')) return undefined;
  return { ...report, iterations: iterations.map((iteration) => renameModel(iteration, names)) };
}

const renameAt = (holder: JsonObject, key: string, names: Names): JsonObject =>
  isObject(holder[key]) ? { [key]: renameModel(holder[key], names) } : {};

function renameModel(value: unknown, { nameModel }: Names): unknown {
  const fields = objectOf(value);
  const name = typeof fields.model === 'string' ? nameModel?.(fields.model) : undefined;
  return name === undefined ? value : { ...fields, model: name };
}
