import { branchesOf, literalsOf, type SchemaNode } from '../../base/schema/schema-node.ts';

/**
 * Describes a type in words.
 *
 * @example
 * typeWords({ type: 'integer', minimum: 1, maximum: 128 }); // → 'integer, 1–128'
 * typeWords({ type: 'array', items: { type: 'string' } }); // → 'array of strings'
 */
export function typeWords(node: SchemaNode): string {
  const literals = literalWords(node);
  if (literals !== undefined) return literals;
  const branches = branchesOf(node);
  if (branches) return [...new Set(branches.map(typeWords))].join(' or ');
  if (node.type === 'array') return arrayWords(node);
  if (node.type === 'string') return textWords(node);
  const types = [node.type ?? 'any'].flat().join(' or ');
  return joined(
    types,
    node.exclusiveMinimum === undefined
      ? rangeWords(node.minimum, node.maximum)
      : `over ${formatted(node.exclusiveMinimum)}`,
  );
}

/** Returns the literals that a schema allows, in words, or undefined if it is not limited to literals. */
export const literalWords = (node: SchemaNode): string | undefined =>
  literalsOf(node)
    ?.map((literal) => JSON.stringify(literal))
    .join(' or ');

function arrayWords({ items, minItems, maxItems }: SchemaNode): string {
  const size = rangeWords(minItems, maxItems);
  return joined(items ? `array of ${plural(typeWords(items))}` : 'array', size && `${size} items`);
}

const plural = (type: string): string =>
  /^(string|number|integer|boolean|object)$/.test(type) ? `${type}s` : type;

/** Describes a text. A least length without a greatest one only means that the text is not empty. */
function textWords({ expected, minLength, maxLength }: SchemaNode): string {
  const size = maxLength === undefined ? '' : rangeWords(minLength, maxLength);
  return joined('string', expected ?? '', size && `${size} characters`);
}

const formatted = (value: number): string => value.toLocaleString('en-US');

/** Formats a range: "1–128", "at least 1", "at most 20". */
function rangeWords(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return `${formatted(least)}–${formatted(most)}`;
  if (least !== undefined) return `at least ${formatted(least)}`;
  return most === undefined ? '' : `at most ${formatted(most)}`;
}

const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join(', ');
