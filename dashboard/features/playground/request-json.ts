import { dataUrl } from './data-url.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON that is read field by field
export type Json = Record<string, any>;

/** Returns a list of a body, or an empty one for anything else. Clients also write `null`. */
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value : []);

/** Returns the text of a content: a string, or the texts of its parts. */
export const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .flatMap((part) => part?.text ?? [])
        .join('\n');

/** Returns the images of a content as data URLs. The playground does not load images from addresses. */
export const imagesOf = (content: unknown): string[] =>
  listOf(content).flatMap((part) => {
    const { source } = part ?? {};
    if (source?.type === 'base64') return [dataUrl({ mediaType: source.media_type, base64: source.data })];
    const url = part?.image_url?.url ?? part?.image_url;
    return typeof url === 'string' && url.startsWith('data:') ? [url] : [];
  });

/** Returns the texts of the messages that are instructions in the dialects of OpenAI. */
export const systemOf = (messages: readonly Json[]): string =>
  messages
    .filter(isSystem)
    .map(({ content }) => textOf(content))
    .join('\n');

/** Reports whether a message has instructions, in the dialects of OpenAI. */
export const isSystem = ({ role }: Json): boolean => role === 'system' || role === 'developer';
