/** Reads the JSON data of server-sent events until the stream ends. `[DONE]` does not end it earlier. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split(/\r?\n/);
      rest = done ? '' : lines.pop()!;
      for (const line of lines) {
        const data = dataOf(line);
        if (data !== undefined) yield data;
      }
      if (done) return;
    }
  } finally {
    // The stream has ended, or its reader reports the failure.
    await reader.cancel().catch(() => {});
  }
}

/** Every dialect sends its data as one line of JSON. Other lines are names, comments and separators. */
function dataOf(line: string): unknown {
  if (!line.startsWith('data:')) return undefined;
  const text = line.slice(5).trim();
  return text === '' || text === '[DONE]' ? undefined : JSON.parse(text);
}
