import { isObject } from '../../base/lib/is-object.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { SchemaNode } from '../../base/schema/schema-node.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';

type Path = readonly (string | number)[];

/** The fields below an empty section that belong into it: a slip of the indentation. */
type Slip = { path: Path; section: string; fields: string[] };

function slipsIn(node: SchemaNode, value: unknown, path: Path): Slip[] {
  if (!isObject(value) || !node.properties) return [];
  const slips: Slip[] = [];
  let open: { section: string; fields: Readonly<Record<string, SchemaNode>> } | undefined;
  let slip: Slip | undefined;
  for (const [name, member] of Object.entries(value)) {
    const field = lookUp(node.properties, name);
    if (field) {
      slips.push(...slipsIn(field, member, [...path, name]));
      open = member === null && field.properties ? { section: name, fields: field.properties } : undefined;
      slip = undefined;
    } else if (open && Object.hasOwn(open.fields, name)) {
      slip ??= { path, section: open.section, fields: [] };
      if (slip.fields.length === 0) slips.push(slip);
      slip.fields.push(name);
    }
  }
  return slips;
}

const keyOf = (path: Path): string => JSON.stringify(path);

/**
 * Replaces the problems of fields that are indented too little by one problem for each section that they
 * belong to.
 */
export function joinMisplaced(
  schema: SchemaNode,
  value: unknown,
  problems: readonly SchemaProblem[],
): SchemaProblem[] {
  const slips = slipsIn(schema, value, []);
  const slipsByPath = new Map(
    slips.flatMap((slip) => slip.fields.map((name) => [keyOf([...slip.path, name]), slip] as const)),
  );
  return problems.flatMap((problem) => {
    const slip = slipsByPath.get(keyOf(problem.path));
    if (!slip) return [problem];
    if (problem.path.at(-1) !== slip.fields[0]) return [];
    const laterFields = slip.fields.slice(1).join(', ');
    const addition = laterFields === '' ? '' : `, and so do the fields after it: ${laterFields}`;
    return [{ ...problem, message: `belongs to ${slip.section} and must be indented further${addition}` }];
  });
}
