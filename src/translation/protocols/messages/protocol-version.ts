import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { formatPath, type Path } from '../../../base/schema/format-path.ts';

export const VERSION_HEADER = 'anthropic-version';
/** The version of a request without the header. */
export const FIRST_VERSION = '2023-06-01';
/**
 * The version that removed members: https://platform.claude.com/docs/en/api/versioning.
 * Later dates follow its rules.
 */
const REMOVING_VERSION = '2026-10-21';

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

const SAMPLING = ['temperature', 'top_p', 'top_k'];

/** Returns the date in the value of the header, or null for any other value. */
export const namedVersion = (value: string | null): string | null =>
  value !== null && DATE.test(value) ? value : null;

/** Returns the date in the value of the header, or the first version for any other value. */
export const versionOf = (value: string | null): string => namedVersion(value) ?? FIRST_VERSION;

/** Refuses the first member that the version of a request has removed. */
export function refuseRemoved(body: JsonObject, value: string | null): Refusal | undefined {
  if (value === null || versionOf(value) < REMOVING_VERSION) return undefined;
  const path = removedMember(body);
  if (path === undefined) return undefined;
  const param = formatPath(path);
  const message = `${param}: is not supported from ${VERSION_HEADER} ${REMOVING_VERSION} on`;
  return new Refusal('invalid_request', { param, message });
}

function removedMember(body: JsonObject): Path | undefined {
  const sampling = SAMPLING.find((name) => body[name] != null);
  if (sampling) return [sampling];
  for (const [index, message] of listOf(body.messages).entries()) {
    const { role, content } = objectOf(message);
    const path = removedBlock(String(role), content);
    if (path) return ['messages', index, 'content', ...path];
  }
  return undefined;
}

/** A tool's result can have documents too. */
function removedBlock(role: string, content: unknown): Path | undefined {
  for (const [index, item] of listOf(content).entries()) {
    const { type, citations, content: inner } = objectOf(item);
    if (type === 'document' && role === 'assistant') return [index];
    if (type === 'document' && role === 'user' && citations != null) return [index, 'citations'];
    const path = type === 'tool_result' ? removedBlock(role, inner) : undefined;
    if (path) return [index, 'content', ...path];
  }
  return undefined;
}
