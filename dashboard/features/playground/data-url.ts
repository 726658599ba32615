export const dataUrl = (mediaType: string, base64: string): string => `data:${mediaType};base64,${base64}`;

/** Returns the media type and the base64 text of a data URL. */
export function partsOfDataUrl(url: string): { mediaType: string; base64: string } {
  const [, mediaType = 'image/jpeg', base64 = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return { mediaType, base64 };
}
