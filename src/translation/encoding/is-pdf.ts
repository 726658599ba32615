import type { DocumentPart } from '../canonical/part.ts';

/** Reports whether the source of a document says that it is a PDF. */
export const isPdf = ({ source }: DocumentPart): boolean =>
  source.kind === 'base64' && /^application\/pdf\b/i.test(source.mediaType);
