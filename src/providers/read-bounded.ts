/** What an upstream may make us hold at once. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** The whole body, as long as it stays within the bound; what is larger is no answer. */
export function readBounded(response: Response): Promise<string> {
  const announced = response.headers.get('content-length');
  // Known beforehand: then the runtime reads it whole, which costs less than chunk by chunk.
  return announced !== null && Number(announced) <= MAX_ANSWER_BYTES ? response.text() : readChunks(response);
}

async function readChunks(response: Response): Promise<string> {
  const { text, isCut } = await readStart(response, MAX_ANSWER_BYTES);
  if (isCut) throw new RangeError('an answer that is too large');
  return text;
}

/** No more than the first bytes; the rest is not waited for. */
export async function readStart(
  response: Response,
  mostBytes: number,
): Promise<{ text: string; isCut: boolean }> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let left = mostBytes;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.byteLength;
    if (left >= 0) continue;
    await reader.cancel().catch(() => {});
    return { text, isCut: true };
  }
  return { text: text + decoder.decode(), isCut: false };
}
