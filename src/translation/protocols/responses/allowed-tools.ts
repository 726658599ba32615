import type { JsonObject } from '../../../base/json/json-body.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import type { Tool } from '../../canonical/request.ts';

const inNamespace = (namespace: unknown, name: unknown): string => JSON.stringify([namespace, name]);

/**
 * Returns the test whether a tool is one of the allowed ones. The vendor's own tools are named by their type.
 * The entries are read once, since a request may have many of them and many tools.
 */
export function allowedTools(entries: readonly JsonObject[]): (tool: Tool) => boolean {
  const types = new Set<unknown>();
  const namespaces = new Set<unknown>();
  const names = new Set<unknown>();
  const namesInNamespaces = new Set<string>();
  for (const { type, name, namespace } of entries) {
    types.add(type);
    if (type === 'namespace') namespaces.add(name);
    else if (namespace == null) names.add(name);
    else namesInNamespaces.add(inNamespace(namespace, name));
  }
  return (tool) =>
    tool.kind === 'opaque'
      ? types.has(objectOf(tool.tool.parse()).type)
      : namespaces.has(tool.namespace) ||
        names.has(tool.name) ||
        namesInNamespaces.has(inNamespace(tool.namespace, tool.name));
}
