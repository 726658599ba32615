import { literalsOf, type SchemaNode } from '../../base/schema/schema-node.ts';

/** The member that distinguishes the branches of a union, and its values for each branch. */
export type Discriminator = { member: string; values: readonly (readonly string[])[] };

/**
 * Finds a required member whose text differs between all branches. Returns undefined if there is none, or if
 * a branch is open.
 */
export function discriminatorOf(branches: readonly SchemaNode[]): Discriminator | undefined {
  if (branches.length < 2) return undefined;
  for (const member of branches[0]!.required ?? []) {
    const values = branches.map((branch) => textsOf(branch, member));
    const literals = values.flatMap((texts) => texts ?? []);
    if (values.includes(undefined) || new Set(literals).size < literals.length) continue;
    return { member, values: values as string[][] };
  }
  return undefined;
}

function textsOf({ properties, required }: SchemaNode, member: string): string[] | undefined {
  const node = properties?.[member];
  const literals = node && required?.includes(member) ? literalsOf(node) : undefined;
  return literals?.every((literal) => typeof literal === 'string') ? (literals as string[]) : undefined;
}
