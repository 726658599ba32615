import type { AudioPart, DocumentPart, ImagePart } from '../../canonical/part.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';

/** A part with media, which both wires of the vendor take by data or by address. */
export type MediaPart = ImagePart | DocumentPart | AudioPart;

/** Notes what both wires of the vendor cannot say of an image or a document. */
export function noteMediaLosses(part: MediaPart, notes: EncodeNotes): void {
  if (part.kind === 'image' && part.detail !== undefined && part.detail !== 'auto')
    notes.lose('image-detail');
  if (part.kind !== 'document') return;
  if (part.title !== undefined || part.context !== undefined) notes.lose('document-context');
  if (part.citable) notes.lose('citation');
}
