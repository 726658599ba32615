import type { EncodeTarget } from '../codec.ts';
import type { EncodeNotes } from '../encode-notes.ts';

export type ChatMessageOut = { role: 'system' | 'user' | 'assistant' | 'tool'; content: unknown };
export type EncodeSituation = { target: EncodeTarget; notes: EncodeNotes };
