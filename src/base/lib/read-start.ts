/** Reads at most the first bytes, and does not wait for the rest. */
export async function readStart(
  response: Response,
  maxBytes: number,
): Promise<{ text: string; isCut: boolean }> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytesLeft = maxBytes;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value.subarray(0, bytesLeft), { stream: true });
    bytesLeft -= value.byteLength;
    if (bytesLeft >= 0) continue;
    // The rest is not read, so its failure does not matter.
    await reader.cancel().catch(() => {});
    return { text, isCut: true };
  }
  return { text: text + decoder.decode(), isCut: false };
}
