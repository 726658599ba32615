/** A tool's name with what this protocol has no field for. */
export type ToolName = { name: string; namespace?: string | undefined; isFreeform?: boolean | undefined };

/**
 * This protocol has neither namespaces nor, at most hosts, freeform tools, and a stream of answers is read without its request. So both are
 * told by the name: `crm_-_find` is `find` of the namespace `crm`, `crm_--_run` is freeform, and an empty namespace is none (`_--_patch`).
 * The marks are not the `__` that tools of MCP servers have in their plain names. A plain name that looks marked is marked as plain, so
 * that every name comes back; only a namespace that itself has a mark would not.
 */
const MARKED = /^(.*?)_(--?)_(.+)$/s;

export function flattenName({ name, namespace, isFreeform }: ToolName): string {
  if (isFreeform) return `${namespace ?? ''}_--_${name}`;
  return namespace || MARKED.test(name) ? `${namespace ?? ''}_-_${name}` : name;
}

export function restoreName(flat: string): ToolName {
  const marked = MARKED.exec(flat);
  if (!marked) return { name: flat };
  const [, namespace, mark, name] = marked;
  return {
    name: name!,
    ...(namespace && { namespace }),
    ...(mark === '--' && { isFreeform: true }),
  };
}

/** The one parameter of the function that stands for a freeform tool. */
export const FREEFORM_PARAMETER = 'input';

export const wrapFreeform = (text: string): string => JSON.stringify({ [FREEFORM_PARAMETER]: text });

/** The text inside; whatever else a model may have written stays as it is. */
export function unwrapFreeform(text: string): string {
  try {
    const value = (JSON.parse(text) as Record<string, unknown> | null)?.[FREEFORM_PARAMETER];
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
