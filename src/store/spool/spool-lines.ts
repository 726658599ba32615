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

/** A wipe that a crash cut off leaves zeros before the rest of a line, which is in the store. */
const WIPED = /^\0+/;

/** Parses the lines up to the last newline. The rest of the file is reserved space. */
export function parseSpool(bytes: Buffer): SpoolContent {
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  const lines = bytes
    .toString('utf8', 0, end)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ posting: parseLine(line.replace(WIPED, '')), isWiped: WIPED.test(line) }));
  const postings = lines.flatMap(({ posting }) => posting ?? []);
  const damaged = lines.filter(({ posting, isWiped }) => posting === undefined && !isWiped);
  return { postings, end, damaged: damaged.length };
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
