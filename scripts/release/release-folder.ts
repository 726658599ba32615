import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artefact } from './provenance.ts';

/** The folder with the files of a release. It knows the checksum of each file. */
export class ReleaseFolder {
  readonly path: string;
  readonly #artefacts: Artefact[] = [];

  /** Refuses a folder that has files, since they could be mistaken for files of the release. */
  constructor(path: string) {
    if (existsSync(path) && readdirSync(path).length > 0)
      throw new Error(`${path} is not empty; remove it first`);
    mkdirSync(path, { recursive: true });
    this.path = path;
  }

  get artefacts(): readonly Artefact[] {
    return this.#artefacts;
  }

  write(name: string, content: string | Uint8Array, { isProgram = false } = {}): Artefact {
    const sha256 = createHash('sha256').update(content).digest('hex');
    writeFileSync(join(this.path, name), content, { mode: isProgram ? 0o755 : 0o644 });
    const artefact = { name, sha256 };
    this.#artefacts.push(artefact);
    return artefact;
  }

  /** Returns the text that lists all files with their checksums, in the form that sha256sum reads. */
  checksums(): string {
    const sorted = [...this.#artefacts].sort((a, b) => (a.name < b.name ? -1 : 1));
    return sorted.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
  }
}
