import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';

/** A message of a request to a host. Members besides these two depend on the role. */
export type HostMessage = {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: unknown;
  [member: string]: unknown;
};

/** The target of a request, and the notes for what it cannot take. */
export type EncodeSituation = { target: EncodeTarget; notes: EncodeNotes };
