import { nodeOf, type SchemaNode } from '../../base/schema/schema-node.ts';
import type { AdminKey } from '../../console/admin/admin-calls.ts';
import type { AdminRoute } from '../../console/admin/admin-route.ts';

/**
 * Returns the names of all fields of a list's items, nested ones with a dot. The routes are loaded for an
 * empty list alone.
 */
export async function listFields(key: AdminKey): Promise<string[]> {
  const [method, path] = key.split(' ');
  const table: readonly AdminRoute[] = (await import('../../console/admin/admin-table.ts')).adminTable;
  // The key is that of a list, whose answer has items in `data`.
  const route = table.find((row) => row.method === method && row.path === `/admin/v1${path}`)!;
  return fieldsOf(nodeOf(route.answer).properties!.data!.items!, '');
}

function fieldsOf(node: SchemaNode, path: string): string[] {
  const { properties } = [node, ...(node.anyOf ?? [])].find((branch) => branch.properties) ?? {};
  if (!properties) return [path];
  return Object.entries(properties).flatMap(([name, member]) =>
    fieldsOf(member, path === '' ? name : `${path}.${name}`),
  );
}
