import type { Posting } from '../../money/ledger/ledger-store.ts';

const checksum = (text: string): string => Bun.hash.crc32(text).toString(16).padStart(8, '0');

export const requestIdOf = ({ hold }: Posting): string => hold.order.requestId;

/** Formats a posting as a line: JSON with the request id and a checksum over the posting. */
export function formatSpoolLine(posting: Posting): string {
  const text = JSON.stringify(posting);
  return `{"crc":"${checksum(text)}","id":${JSON.stringify(requestIdOf(posting))},"posting":${text}}\n`;
}

export type SpoolContent = {
  postings: Posting[];
  /** The offset in bytes after the last whole line. */
  end: number;
  /**
   * The number of invalid lines that other lines follow. A line that a crash cut off at the end was never
   * acknowledged and does not count.
   */
  damaged: number;
};

const NEWLINE = 10;

/** Parses the bytes before the first zero byte. The rest of the file is reserved space. */
export function parseSpool(bytes: Buffer): SpoolContent {
  const reservedFrom = bytes.indexOf(0);
  const used = reservedFrom < 0 ? bytes : bytes.subarray(0, reservedFrom);
  const parsed = used
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLine);
  const last = parsed.findLastIndex((posting) => posting !== undefined);
  const postings = parsed.filter((posting) => posting !== undefined);
  return { postings, end: used.lastIndexOf(NEWLINE) + 1, damaged: last + 1 - postings.length };
}

function parseLine(line: string): Posting | undefined {
  try {
    const { crc, posting } = JSON.parse(line) as { crc: string; posting: Posting };
    return checksum(JSON.stringify(posting)) === crc ? posting : undefined;
  } catch {
    return undefined;
  }
}
