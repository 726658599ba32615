import type { Answer } from '../../support/call.ts';
import { HIDDEN } from '../../support/recording-upstream.ts';
import { UPSTREAM_KEY } from '../fuzz-wires.ts';

/** Returns a status with its code, or the way in which an answer of status 200 ended. */
export function outcomeOf({ status, body, text }: Answer, { isStream }: { isStream: boolean }): string {
  if (status !== 200) return `${status} ${body?.error?.code}`;
  if (!isStream) return 'whole';
  const lastEvent = text.slice(text.trimEnd().lastIndexOf('\n\n'));
  return /"error":\{|"type":"error"/.test(lastEvent) ? 'stream, then an error' : 'stream';
}

/**
 * Lists what an answer shows of the upstream: its key, its address, and its own words outside of the model's
 * text.
 */
export function leaksIn({ status, text, headers }: Answer, port: number): string[] {
  const head = [...headers].flat().join('\n');
  const all = `${text}\n${head}`;
  const withoutModelText = status === 200 ? head : all;
  return [
    ...(all.includes(UPSTREAM_KEY) ? ["the upstream's key"] : []),
    ...(all.includes(`127.0.0.1:${port}`) ? ["the upstream's address"] : []),
    ...(withoutModelText.toLowerCase().includes(HIDDEN)
      ? [`the upstream's words: ${all.slice(0, 400)}`]
      : []),
  ];
}
