type StreamRequest = { headers: Record<string, string>; body: object };

/** Requests a stream, and leaves it once enough of its text has come. Returns the headers of the answer. */
export async function leaveStream(
  url: string,
  { headers, body }: StreamRequest,
  isEnough: (text: string) => boolean = () => true,
): Promise<Headers> {
  const leaving = new AbortController();
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  do {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stream ended: ${text}`);
    text += value;
  } while (!isEnough(text));
  leaving.abort();
  return answer.headers;
}
