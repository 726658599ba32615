export type RawAnswer = { status: number; headers: Headers; text: string };

/** Parses the received answers in order, or reports how they are malformed. */
export function answersIn(received: string, methods: readonly string[]): RawAnswer[] | string {
  const answers: RawAnswer[] = [];
  for (let rest = Buffer.from(received); rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    const head = /^HTTP\/1\.1 (\d{3}) ?[^\r\n]*(?:\r\n|$)/.exec(rest.toString('utf8', 0, Math.max(0, end)));
    if (!head) return `no head of an answer: ${rest.toString('utf8', 0, 300)}`;
    const status = Number(head[1]);
    const headers = headersOf(rest.toString('utf8', head[0].length, end));
    const method = methods[answers.length] ?? 'GET';
    const body = bodyOf(rest.subarray(end + 4), headers, method === 'HEAD' || status === 204 || status < 200);
    if (typeof body === 'string') return body;
    if (status >= 200) answers.push({ status, headers, text: body.text });
    rest = rest.subarray(end + 4 + body.length);
  }
  return answers;
}

const headersOf = (lines: string): Headers =>
  new Headers(
    lines
      .split('\r\n')
      .filter((line) => line.includes(':'))
      .map(
        (line) =>
          [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as [string, string],
      ),
  );

function bodyOf(rest: Buffer, headers: Headers, isEmpty: boolean): { text: string; length: number } | string {
  if (isEmpty) return { text: '', length: 0 };
  if (headers.get('transfer-encoding') === 'chunked') return chunkedBody(rest);
  const length = headers.get('content-length') === null ? rest.length : Number(headers.get('content-length'));
  if (rest.length < length) return `a body of ${length} bytes of which ${rest.length} came`;
  return { text: rest.toString('utf8', 0, length), length };
}

function chunkedBody(rest: Buffer): { text: string; length: number } | string {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at);
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16);
    if (lineEnd < 0 || Number.isNaN(size)) return 'an answer whose chunks end in the middle';
    const start = lineEnd + 2;
    at = start + size + 2;
    if (size === 0) return { text: Buffer.concat(pieces).toString('utf8'), length: at };
    pieces.push(rest.subarray(start, start + size));
  }
}
