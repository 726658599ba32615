import { Refusal } from '../../base/errors/refusal.ts';

/** A path below one of these can have an encoded slash, because it ends with the id of a model. */
const BEFORE_MODEL_IDS = [
  '/v1/models/',
  '/v1beta/models/',
  '/models/',
  ...['/admin/v1', '/dashboard/v1/operator', '/operator'].flatMap((root) => [
    `${root}/catalog/`,
    `${root}/models/`,
  ]),
];

/** Most segments pass this at once. */
const ORDINARY = /^(?!\.)[^\\/\x7f]*$/;
const DOT_SEGMENT = /(^|\/)\.\.?(\/|$)/;

/**
 * Judges the segments of a path as it was sent, each of them decoded once. A proxy resolves dot segments,
 * backslashes and encoded slashes in a way of its own, so a path that has them could pass the rules of a
 * proxy and still reach an operator's route.
 */
export function judgeTarget(segments: readonly string[]): Refusal | undefined {
  for (const [index, segment] of segments.entries()) {
    if (ORDINARY.test(segment)) continue;
    const fault = faultOf(segment, `/${segments.slice(0, index).join('/')}/`);
    if (fault !== undefined)
      return new Refusal('invalid_request', { message: `The path must not contain ${fault}.` });
  }
  return undefined;
}

function faultOf(segment: string, before: string): string | undefined {
  if (segment.includes('\\')) return 'a backslash';
  if (segment.includes('\x7f')) return 'a control character';
  if (DOT_SEGMENT.test(segment)) return "the segment '.' or '..'";
  const canHaveSlash = BEFORE_MODEL_IDS.some((prefix) => before.startsWith(prefix));
  return segment.includes('/') && !canHaveSlash ? 'an encoded slash' : undefined;
}
