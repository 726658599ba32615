/** The media type and the content of a data URL. */
type DataUrlParts = { mediaType: string; base64: string };

export const dataUrl = ({ mediaType, base64 }: DataUrlParts): string => `data:${mediaType};base64,${base64}`;

export function partsOfDataUrl(url: string): DataUrlParts {
  const [, mediaType = 'image/jpeg', base64 = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return { mediaType, base64 };
}
