import type { CanonicalRequest, Tool, ToolChoice } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { chooseFunction } from './choose-function.ts';

const modes: Readonly<Record<ToolChoice['kind'], string>> = {
  auto: 'AUTO',
  none: 'NONE',
  any: 'ANY',
  named: 'ANY',
};

/**
 * Encodes tools. `parametersJsonSchema` accepts JSON Schema as written, on both the Gemini API and Vertex.
 * The older `parameters` accepts only a subset of OpenAPI's schemas.
 */
export function encodeTools(tools: readonly Tool[], notes: EncodeNotes): object[] | undefined {
  const functionDeclarations = tools.flatMap((tool) => {
    if (tool.kind !== 'function') return [];
    const { name, description, inputSchema, cache } = tool;
    if (cache) notes.lose('cache-breakpoint');
    return [
      {
        name,
        ...(description && { description }),
        ...(inputSchema && { parametersJsonSchema: inputSchema }),
      },
    ];
  });
  const foreign = tools.filter((tool) => tool.kind === 'opaque');
  const own = foreign.filter(({ issuer }) => issuer === 'google').map(({ tool }) => tool);
  if (own.length < foreign.length) notes.lose('opaque-tool');
  const encoded = [...(functionDeclarations.length > 0 ? [{ functionDeclarations }] : []), ...own];
  return encoded.length > 0 ? encoded : undefined;
}

/** Encodes the choice among the functions. This wire names a chosen function as the only allowed one. */
export function encodeToolChoice(request: CanonicalRequest, notes: EncodeNotes): object | undefined {
  const choice = chooseFunction(request, notes);
  if (choice === undefined) return undefined;
  const allowed = choice.kind === 'named' ? { allowedFunctionNames: [choice.name] } : {};
  return { functionCallingConfig: { mode: modes[choice.kind], ...allowed } };
}
