import type { CanonicalRequest, Tool } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuse } from '../../encoding/note-what-is-missing.ts';

/**
 * Encodes tools. `parametersJsonSchema` accepts JSON Schema as written, on both the Gemini API and Vertex. The
 * older `parameters` accepts only a subset of OpenAPI's schemas.
 */
export function encodeTools(tools: readonly Tool[], notes: EncodeNotes): unknown[] | undefined {
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

export function encodeToolChoice({ toolChoice, tools }: CanonicalRequest, notes: EncodeNotes): unknown {
  const names = tools.flatMap((tool) => (tool.kind === 'function' ? [tool.name] : []));
  if (toolChoice === undefined) return undefined;
  const { kind } = toolChoice;
  if (kind === 'any' && names.length === 0)
    refuse(notes, 'tool_choice', 'the chosen model cannot call any of the tools');
  if (kind === 'named' && !names.includes(toolChoice.name)) {
    refuse(notes, 'tool_choice', 'the chosen model cannot call this tool');
  }
  if (names.length === 0) return undefined;
  const allowed = kind === 'named' ? { allowedFunctionNames: [toolChoice.name] } : {};
  return { functionCallingConfig: { mode: modes[kind], ...allowed } };
}

const modes = { auto: 'AUTO', none: 'NONE', any: 'ANY', named: 'ANY' } as const;
