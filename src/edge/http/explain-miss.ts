import { Refusal } from '../../base/errors/refusal.ts';

/** Retired addresses and their replacements. */
const RETIRED: ReadonlyArray<[RegExp, string]> = [
  [/^\/v1\/complete$/, '/v1/messages'],
  [/^\/v1\/engines(\/.*)?$/, '/v1/models'],
  [/^\/v1\/edits$/, '/v1/chat/completions'],
  [/^\/v1\/answers$/, '/v1/chat/completions'],
  [/^\/v1\/classifications$/, '/v1/chat/completions'],
  [/^\/v1\/search$/, '/v1/embeddings'],
];

/** Reports whether an address exists. */
type AddressCheck = (path: string) => boolean;

/** Refuses an unknown path, and names the address that was probably meant. */
export function explainMiss(path: string, exists: AddressCheck): Refusal {
  const replacement = RETIRED.find(([expression]) => expression.test(path))?.[1];
  if (replacement !== undefined)
    return new Refusal('endpoint_retired', { message: `This endpoint is retired; use ${replacement}.` });
  return path.includes('//') ? explainEmptySegments(path, exists) : explainVersion(path, exists);
}

/** Refuses a path with an empty segment, and names the path without it if there is one. */
export function explainEmptySegments(path: string, exists: AddressCheck): Refusal {
  const collapsed = path.replace(/\/{2,}/g, '/');
  if (collapsed === path || !exists(collapsed)) return new Refusal('not_found');
  return missedBy(path, {
    suggested: collapsed,
    remedy: 'Remove the double slash from the base URL or from the path.',
  });
}

/** Refuses a path without `/v1`, or with two of them. */
function explainVersion(path: string, exists: AddressCheck): Refusal {
  const isDouble = path.startsWith('/v1/v1/');
  const suggested = isDouble ? path.slice('/v1'.length) : `/v1${path}`;
  if (!exists(suggested)) return new Refusal('not_found');
  return missedBy(path, {
    suggested,
    remedy: isDouble
      ? 'The URL contains /v1 twice: remove it from the base URL or from the path.'
      : 'The base URL must end with /v1: set it to the address of this server followed by /v1.',
  });
}

const missedBy = (path: string, { suggested, remedy }: { suggested: string; remedy: string }): Refusal =>
  new Refusal('not_found', { message: `The address ${path} does not exist; ${suggested} does. ${remedy}` });
