/**
 * The longer side of an image that models read in full.
 * Larger ones cost more to send and are scaled down anyway.
 */
const MAX_PIXELS = 1_568;
const MAX_FILE_BYTES = 30_000_000;
const QUALITY = 0.85;

/** Reads an image file as a data URL, scaled down. Throws an `Error` with a text for the person. */
export async function scaleImage(file: File): Promise<string> {
  if (!file.type.startsWith('image/')) throw new Error(`${file.name} is not an image.`);
  if (file.size > MAX_FILE_BYTES) throw new Error(`${file.name} is larger than 30 MB.`);
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(`The browser cannot read ${file.name}. Use PNG, JPEG, GIF or WebP.`);
  });
  const { width, height } = sizeWithin(bitmap, MAX_PIXELS);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#fff'; // JPEG has no transparency
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
  return dataUrlOf(blob);
}

/** Returns the size of an image whose longer side has at most this many pixels. It never grows. */
export function sizeWithin(
  { width, height }: { width: number; height: number },
  maxPixels: number,
): { width: number; height: number } {
  const scale = Math.min(1, maxPixels / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const dataUrlOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
