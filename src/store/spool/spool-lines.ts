import type { Posting } from '../../money/ledger/ledger-store.ts';

const checksumOf = (text: string): string => Bun.hash.crc32(text).toString(16).padStart(8, '0');

export const requestIdOf = ({ hold }: Posting): string => hold.order.requestId;

/**
 * Formats a posting as a line: JSON with a CRC-32 of the posting.
 * The request id is for operators who search the file; the program does not read it.
 */
export function formatSpoolLine(posting: Posting): string {
  const text = JSON.stringify(posting);
  return `{"crc":"${checksumOf(text)}","id":${JSON.stringify(requestIdOf(posting))},"posting":${text}}\n`;
}

/** The content of a spool that an earlier process has left. */
export type SpoolContent = {
  postings: Posting[];
  /** The offset in bytes after the last whole line. */
  end: number;
  /**
   * The number of invalid lines. A line that a crash cut off at the end was never acknowledged and does not
   * count.
   */
  damaged: number;
};

type SpoolLine = { crc: string; posting: Posting };

const NEWLINE = 10;

/** Parses the bytes before the first zero byte. The rest of the file is reserved space. */
export function parseSpool(bytes: Buffer): SpoolContent {
  const reservedFrom = bytes.indexOf(0);
  const used = reservedFrom < 0 ? bytes : bytes.subarray(0, reservedFrom);
  const end = used.lastIndexOf(NEWLINE) + 1;
  const lines = used
    .toString('utf8', 0, end)
    .split('\n')
    .filter((line) => line !== '');
  const postings = lines.map(parseLine).filter((posting) => posting !== undefined);
  return { postings, end, damaged: lines.length - postings.length };
}

/** Returns undefined if the line is damaged. */
function parseLine(line: string): Posting | undefined {
  try {
    const { crc, posting } = JSON.parse(line) as SpoolLine;
    return checksumOf(JSON.stringify(posting)) === crc ? posting : undefined;
  } catch {
    return undefined;
  }
}
