import type { CanonicalRequest, Tool } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuse } from '../../encoding/note-what-is-missing.ts';

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
export function encodeToolChoice({ toolChoice, tools }: CanonicalRequest, notes: EncodeNotes): unknown {
  const names = tools.flatMap((tool) => (tool.kind === 'function' ? [tool.name] : []));
  if (toolChoice === undefined) return undefined;
  const { kind } = toolChoice;
  if (kind === 'any' && names.length === 0)
    refuse(notes, 'tool_choice', 'the chosen model cannot call any of the tools');
  if (kind === 'named' && !names.includes(toolChoice.name))
    refuse(notes, 'tool_choice', 'the chosen model cannot call this tool');
  if (names.length === 0) return undefined;
  return kind === 'named' ? { allowed_tools: { mode: 'any', tools: [toolChoice.name] } } : kind;
}
