import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { MAX_TAGS, TAG_LENGTH } from '../../money/accounts/key-tags.ts';

const NONE: readonly string[] = [];

/** Notes the tags of a request: those of its header, then those of its key. Refuses invalid tags. */
export function noteTags(
  { request, snapshot, notes }: Exchange,
  keyTags: readonly string[] | null,
): Refusal | undefined {
  const name = snapshot.names.header.tags;
  const headerValue = request.headers.get(name);
  if (headerValue === null && keyTags === null) return undefined;
  const tags = headerValue === null ? NONE : tagsIn(headerValue).map(decodeTag);
  const longTag = tags.find((tag) => tag.length > TAG_LENGTH);
  if (longTag !== undefined)
    return refuse(name, `A tag has more than ${TAG_LENGTH} characters: ${longTag.slice(0, 20)}…`);
  if (tags.length > MAX_TAGS)
    return refuse(name, `${tags.length} tags are more than the ${MAX_TAGS} that are allowed`);
  const distinctTags = new Set([...tags, ...(keyTags ?? NONE)]);
  if (distinctTags.size > 0) notes.tags = [...distinctTags];
  return undefined;
}

const tagsIn = (headerValue: string): string[] => {
  const tags = headerValue.split(',').map((tag) => tag.trim());
  return tags.filter((tag) => tag !== '');
};

/** Decodes a tag. Bytes of a header arrive as characters of Latin-1. */
function decodeTag(tag: string): string {
  const text = Buffer.from(tag, 'latin1').toString('utf8');
  return (text.includes('\ufffd') ? tag : text).replace(/\p{C}/gu, '\ufffd');
}

const refuse = (param: string, message: string): Refusal =>
  new Refusal('invalid_request', { message, param });
