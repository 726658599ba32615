import type { BackgroundResponse, BackgroundStore } from '../../inference/background/background-store.ts';
import type { ContentSeal } from './content-seal.ts';

const placeOf = (id: string): string => JSON.stringify(['background', id]);

/** The methods of responses in the background that write and read content. */
type Content = Pick<
  BackgroundStore,
  'createBackground' | 'findBackground' | 'takeBackground' | 'addFrames' | 'endBackground' | 'loadFrames'
>;

/** Encrypts the requests, the frames and the envelopes of responses in the background. */
export function sealedBackground(store: Content, seal: ContentSeal): Content {
  const open = async (found: BackgroundResponse | undefined): Promise<BackgroundResponse | undefined> =>
    found && {
      ...found,
      body: await seal.open(found.body, placeOf(found.id)),
      envelope: await seal.open(found.envelope, placeOf(found.id)),
    };
  return {
    createBackground: (background) =>
      store.createBackground({
        ...background,
        body: seal.seal(background.body, placeOf(background.id)),
        envelope: seal.seal(background.envelope, placeOf(background.id)),
      }),
    findBackground: async (wanted) => open(await store.findBackground(wanted)),
    takeBackground: async (taking) => open(await store.takeBackground(taking)),
    addFrames: (held, added) =>
      store.addFrames(held, {
        ...added,
        frames: seal.seal(added.frames, placeOf(held.id)),
        envelope: added.envelope === undefined ? undefined : seal.seal(added.envelope, placeOf(held.id)),
      }),
    endBackground: (held, end) =>
      store.endBackground(held, { ...end, envelope: seal.seal(end.envelope, placeOf(held.id)) }),
    async loadFrames(id, after) {
      const parts = await store.loadFrames(id, after);
      return Promise.all(
        parts.map(async (part) => ({ ...part, frames: await seal.open(part.frames, placeOf(id)) })),
      );
    },
  };
}
