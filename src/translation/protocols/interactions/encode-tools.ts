import type { CanonicalRequest, FunctionTool, Tool } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { chooseFunction } from '../google/choose-function.ts';

/** Encodes the tools of a flattened request, whose freeform tools are functions by now. */
export function encodeTools(tools: readonly Tool[], notes: EncodeNotes): unknown[] | undefined {
  const encoded = tools.flatMap((tool): unknown[] => {
    if (tool.kind === 'function') return [encodeFunction(tool, notes)];
    if (tool.kind === 'opaque' && tool.issuer === 'interactions') return [tool.tool];
    notes.lose('opaque-tool');
    return [];
  });
  return encoded.length > 0 ? encoded : undefined;
}

function encodeFunction({ name, description, inputSchema, cache }: FunctionTool, notes: EncodeNotes) {
  if (cache) notes.lose('cache-breakpoint');
  return {
    type: 'function',
    name,
    ...(description && { description }),
    ...(inputSchema && { parameters: inputSchema }),
  };
}

/** Encodes the choice among the functions. The API names one function as the only one that is allowed. */
export function encodeToolChoice(request: CanonicalRequest, notes: EncodeNotes): unknown {
  const choice = chooseFunction(request, notes);
  return choice?.kind === 'named' ? { allowed_tools: { mode: 'any', tools: [choice.name] } } : choice?.kind;
}
