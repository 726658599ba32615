import type { Part } from '../../canonical/part.ts';
import type { CanonicalRequest, Turn } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuse } from '../../encoding/note-what-is-missing.ts';

const SPEAKERS: Record<Turn['role'], string> = { user: 'User: ', assistant: 'Assistant: ', system: '' };

/** The stop sequence of a transcript. At this point the model would continue with the user's turn. */
export const NEXT_SPEAKER = '\n\nUser:';

/**
 * Writes the prompt. A single user text is sent as it is.
 * A conversation is written as a transcript that the model continues.
 */
export function writePrompt({ system, turns }: CanonicalRequest, notes: EncodeNotes): string {
  const [first] = turns;
  if (system.length === 0 && turns.length === 1 && first!.role === 'user') return textOf(first!.parts, notes);
  const lines: Turn[] = system.length > 0 ? [{ role: 'system', parts: system }, ...turns] : turns;
  const written = lines.map(({ role, parts }) => SPEAKERS[role] + textOf(parts, notes));
  return [...written, SPEAKERS.assistant.trimEnd()].join('\n\n');
}

export const isTranscript = ({ system, turns }: CanonicalRequest): boolean =>
  system.length > 0 || turns.length > 1;

const textOf = (parts: readonly Part[], notes: EncodeNotes): string =>
  parts.flatMap((part) => (isText(part, notes) ? [part.text] : [])).join('\n');

function isText(part: Part, notes: EncodeNotes): part is Extract<Part, { kind: 'text' | 'refusal' }> {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      if (part.kind === 'text' && part.cache) notes.lose('cache-breakpoint');
      return true;
    case 'thinking':
    case 'redacted-thinking':
      notes.lose('thinking-block');
      return false;
    case 'opaque':
      notes.lose('opaque-block');
      return false;
    default:
      refuse(notes, 'messages', 'the chosen model accepts only text');
      return false;
  }
}
