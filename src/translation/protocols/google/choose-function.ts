import type { CanonicalRequest } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuse } from '../../encoding/note-what-is-missing.ts';

/** Returns the choice among the request's functions, or undefined if it makes none or has no functions. */
export function chooseFunction(
  { toolChoice, tools }: CanonicalRequest,
  notes: EncodeNotes,
): CanonicalRequest['toolChoice'] {
  const names = tools.flatMap((tool) => (tool.kind === 'function' ? [tool.name] : []));
  if (toolChoice?.kind === 'any' && names.length === 0)
    refuse(notes, 'tool_choice', 'the chosen model cannot call any of the tools');
  if (toolChoice?.kind === 'named' && !names.includes(toolChoice.name))
    refuse(notes, 'tool_choice', 'the chosen model cannot call this tool');
  return names.length === 0 ? undefined : toolChoice;
}
