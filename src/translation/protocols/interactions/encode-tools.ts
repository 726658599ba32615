import type { CanonicalRequest, Tool } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { chooseFunction } from '../google/choose-function.ts';

export function encodeTools(tools: readonly Tool[], notes: EncodeNotes): unknown[] | undefined {
  const encoded = tools.flatMap((tool): unknown[] => {
    if (tool.kind === 'function') {
      const { name, description, inputSchema, cache } = tool;
      if (cache) notes.lose('cache-breakpoint');
      return [
        {
          type: 'function',
          name,
          ...(description && { description }),
          ...(inputSchema && { parameters: inputSchema }),
        },
      ];
    }
    if (tool.kind === 'opaque' && tool.issuer === 'interactions') return [tool.tool];
    notes.lose('opaque-tool');
    return [];
  });
  return encoded.length > 0 ? encoded : undefined;
}

/** Encodes the choice among the functions. One function is a list of allowed ones. */
export function encodeToolChoice(request: CanonicalRequest, notes: EncodeNotes): unknown {
  const choice = chooseFunction(request, notes);
  return choice?.kind === 'named' ? { allowed_tools: { mode: 'any', tools: [choice.name] } } : choice?.kind;
}
