import { readFile } from 'node:fs/promises';

/**
 * Reads the sections of a file in the form of the AWS tools, with their fields by lower-case names. A file
 * that cannot be read has no sections.
 */
export async function readIni(file: string | undefined): Promise<Map<string, Record<string, string>>> {
  const sections = new Map<string, Record<string, string>>();
  const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
  let fields: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const name = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (name !== undefined) {
      fields = sections.get(name) ?? {};
      sections.set(name, fields);
      continue;
    }
    const [, key, value] = /^([A-Za-z0-9_]+)\s*[=:]\s*(.*?)\s*$/.exec(line.replace(/\s+[#;].*$/, '')) ?? [];
    if (key !== undefined && value !== undefined) fields[key.toLowerCase()] = value;
  }
  return sections;
}
