import type { RecordingStore } from '../../inference/recording/recording-store.ts';
import type { ContentSeal } from './content-seal.ts';

const placeOf = (requestId: string): string => JSON.stringify(['recorded answer', requestId]);

/** Encrypts the parts of recorded answers. */
export function sealedRecordings(
  store: Pick<RecordingStore, 'write' | 'loadParts'>,
  seal: ContentSeal,
): Pick<RecordingStore, 'write' | 'loadParts'> {
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
