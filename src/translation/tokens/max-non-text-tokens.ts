import { base64Bytes } from './base64-bytes.ts';
import type { BodyContents } from './body-contents.ts';
import { readImageSize } from './image-size.ts';
import type { PartMedia } from './media-in-part.ts';
import type { NonTextBounds } from './non-text-bounds.ts';
import { boundSeconds } from './sound-length.ts';
import type { TokenFamily } from './token-families.ts';

/** Returns the most tokens of the media, the framing and the token lists of a prompt. */
export function maxNonTextTokens(contents: BodyContents, family: TokenFamily, isChat: boolean): number {
  const ofFraming = isChat ? framing(contents, family) : 0;
  return contents.media.reduce(
    (sum, media) => sum + maxMediaTokens(media, family.bounds),
    contents.tokens + ofFraming,
  );
}

function framing({ turns, tools, prompts }: BodyContents, { bounds, turnTokens }: TokenFamily): number {
  const ofTools = tools.length > 0 ? bounds.tools + tools.length * bounds.tool : 0;
  // Names stand for part of the framing. Prompts in a list have no names.
  const ofPrompts = prompts * bounds.request + (prompts > 1 ? prompts * turnTokens : 0);
  return ofPrompts + turns * bounds.turn + ofTools;
}

const bytesOf = (base64: string): number => Math.ceil(base64Bytes(base64.length));

function maxMediaTokens(media: PartMedia, bounds: NonTextBounds): number {
  switch (media.kind) {
    case 'image':
      return bounds.image(media.data === undefined ? undefined : readImageSize(media.data), media.detail);
    case 'audio':
      return bounds.audio({ seconds: boundSeconds(media), bytes: bytesOf(media.data) });
    case 'document':
      return bounds.document(media.data === undefined ? undefined : bytesOf(media.data));
    case 'text':
      return 0; // counted with the texts
  }
}
