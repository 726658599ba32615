import type { EncodeTarget } from '../../contract/codec.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';

export type ChatMessageOut = { role: 'system' | 'user' | 'assistant' | 'tool'; content: unknown };
export type EncodeSituation = { target: EncodeTarget; notes: EncodeNotes };
