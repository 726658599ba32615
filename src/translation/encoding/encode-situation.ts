import type { EncodeTarget } from '../contract/encode-target.ts';
import type { EncodeNotes } from './encode-notes.ts';

/** The target of a request, and the notes for what it cannot take. */
export type EncodeSituation = { target: EncodeTarget; notes: EncodeNotes };
