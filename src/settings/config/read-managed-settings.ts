import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/json/canonical-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import type { ManagedSettingsRow } from './claude-code-schema.ts';
import { readTextFile } from './read-text-file.ts';

/** The settings of a group, with the answer for its members. */
export type ManagedSettings = Pick<ManagedSettingsRow, 'accounts' | 'roles'> & { body: string; etag: string };

/** Reads the files of managed settings, or returns their problems. */
export async function readManagedSettings(
  rows: readonly ManagedSettingsRow[],
): Promise<ManagedSettings[] | { problems: SchemaProblem[] }> {
  const settings: ManagedSettings[] = [];
  const problems: SchemaProblem[] = [];
  for (const [index, { file, accounts, roles }] of rows.entries()) {
    const object = await readObject(file);
    if ('reason' in object) {
      const path = ['claude_code', 'managed_settings', index, 'file'];
      problems.push({ path, message: `${file} ${object.reason}` });
    } else settings.push({ accounts, roles, ...answerOf(object.value) });
  }
  return problems.length > 0 ? { problems } : settings;
}

async function readObject(file: string): Promise<{ value: object } | { reason: string }> {
  const contents = await readTextFile(file);
  if ('reason' in contents) return contents;
  try {
    const value: unknown = JSON.parse(contents.text.replace(/^\uFEFF/, ''));
    if (isObject(value)) return { value };
  } catch {
    // The content is not shown, since settings can have secrets.
  }
  return { reason: 'does not contain a JSON object' };
}

function answerOf(settings: object): { body: string; etag: string } {
  const text = canonicalJson(settings);
  const hash = createHash('sha256').update(text).digest('hex');
  const checksum = `sha256:${hash}`;
  return {
    body: `{"uuid":"${uuidOf(hash)}","checksum":"${checksum}","settings":${text}}`,
    etag: `"${checksum}"`,
  };
}

/** Makes a UUID of version 8, whose content is up to its maker. */
const uuidOf = (hash: string): string =>
  [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
