import type { CanonicalRequest } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuseToolChoice } from '../../encoding/refuse-tool-choice.ts';

/** Returns the choice among the request's functions, or undefined if it makes none or has no functions. */
export function chooseFunction(
  { toolChoice, tools }: CanonicalRequest,
  notes: EncodeNotes,
): CanonicalRequest['toolChoice'] {
  const names = tools.flatMap((tool) => (tool.kind === 'function' ? [tool.name] : []));
  const isUnmet =
    (toolChoice?.kind === 'any' && names.length === 0) ||
    (toolChoice?.kind === 'named' && !names.includes(toolChoice.name));
  if (isUnmet) refuseToolChoice(toolChoice, notes);
  return names.length === 0 ? undefined : toolChoice;
}
