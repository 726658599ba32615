/** Marks a summary that the simulator sealed. */
const LABEL = 'simulated-compaction:';

/** Packs a summary into the opaque field of a compaction. */
export const sealSummary = (summary: string): string => Buffer.from(LABEL + summary).toString('base64');

/** Opens a sealed summary. Returns undefined if the simulator did not seal it. */
export function openSummary(sealed: string): string | undefined {
  const text = Buffer.from(sealed, 'base64').toString();
  return text.startsWith(LABEL) ? text.slice(LABEL.length) : undefined;
}

/**
 * Returns the signature of a summary whose text is readable. It seals a hash, so it has no copy of the text.
 */
export const signSummary = (summary: string): string => sealSummary(Bun.hash(summary).toString(16));
