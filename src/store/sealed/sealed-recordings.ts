import type { RecordingStore } from '../../inference/recording/recording-store.ts';
import type { ContentSeal } from './content-seal.ts';

const placeOf = (requestId: string): string => JSON.stringify(['recorded answer', requestId]);

/** The methods of recorded answers that write and read content. */
type Content = Pick<RecordingStore, 'write' | 'loadParts'>;

/** Encrypts the parts of recorded answers. */
export function sealedRecordings(store: Content, seal: ContentSeal): Content {
  return {
    write: (held, written) =>
      store.write(held, {
        ...written,
        parts: written.parts.map((part) => ({
          ...part,
          text: seal.seal(part.text, placeOf(held.requestId)),
        })),
      }),
    async loadParts(requestId, after) {
      const parts = await store.loadParts(requestId, after);
      return Promise.all(
        parts.map(async (part) => ({ ...part, text: await seal.open(part.text, placeOf(requestId)) })),
      );
    },
  };
}
