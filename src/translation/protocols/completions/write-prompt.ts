import type { Part } from '../../canonical/part.ts';
import type { CanonicalRequest, Turn } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';

/** The words before the text of a turn. */
const SPEAKERS: Readonly<Record<Turn['role'], string>> = {
  user: 'User: ',
  assistant: 'Assistant: ',
  system: '',
};

/** The stop sequence of a transcript. At this point the model would continue with the user's turn. */
export const NEXT_SPEAKER = '\n\nUser:';

/** Reports whether the prompt of a request is a transcript. */
export const isTranscript = ({ system, turns }: CanonicalRequest): boolean =>
  system.length > 0 || turns.length > 1 || turns[0]?.role !== 'user';

/**
 * Writes the prompt. A single user text is sent as it is.
 * A conversation is written as a transcript that the model continues.
 */
export function writePrompt(request: CanonicalRequest, notes: EncodeNotes): string {
  const { system, turns } = request;
  if (!isTranscript(request)) return turns.map(({ parts }) => joinTexts(parts, notes)).join('');
  const first: Turn[] = system.length > 0 ? [{ role: 'system', parts: system }] : [];
  const lines = [...first, ...turns].map(({ role, parts }) => SPEAKERS[role] + joinTexts(parts, notes));
  return [...lines, SPEAKERS.assistant.trimEnd()].join('\n\n');
}

const joinTexts = (parts: readonly Part[], notes: EncodeNotes): string =>
  parts.flatMap((part) => textIn(part, notes) ?? []).join('\n');

/** Returns the text of a part. Notes what is lost or refused if the part is not a text. */
function textIn(part: Part, notes: EncodeNotes): string | undefined {
  switch (part.kind) {
    case 'text':
      if (part.cache) notes.lose('cache-breakpoint');
      return part.text;
    case 'refusal':
      return part.text;
    case 'thinking':
    case 'redacted-thinking':
      notes.lose('thinking-block');
      return undefined;
    case 'opaque':
      notes.lose('opaque-block');
      return undefined;
    default:
      notes.refuseField('messages', 'the chosen model accepts only text');
      return undefined;
  }
}
