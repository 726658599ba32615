import { createHash } from 'node:crypto';
import type { LockedPackage } from './locked-packages.ts';

/** The subject of an SBOM: a file of the release. */
export type SbomSubject = {
  file: string;
  sha256: string;
  version: string;
  license: string;
  /** The time of the commit. The time of the build would differ between two builds. */
  time: string;
};

/** A part of a file. */
export type SbomPart = {
  ref: string;
  type: 'application' | 'container' | 'library' | 'platform';
  name: string;
  version: string;
  license?: string | undefined;
  hash?: { alg: 'SHA-256' | 'SHA-512'; content: string };
  isOptional?: boolean;
  /** The references of the parts that this part needs. */
  needs?: readonly string[];
};

/** Formats the SBOM of a file (CycloneDX 1.6). `direct` lists the parts that the file itself names. */
export function formatSbom(
  subject: SbomSubject,
  { parts, direct }: { parts: readonly SbomPart[]; direct: readonly string[] },
): string {
  const known = new Set(parts.map(({ ref }) => ref));
  const knownOf = (refs: readonly string[]) => [...new Set(refs.filter((ref) => known.has(ref)))].sort();
  const own = `pkg:generic/tollgate@${subject.version}?file_name=${subject.file}`;
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(`${subject.file} ${subject.sha256}`)}`,
    version: 1,
    metadata: {
      timestamp: subject.time,
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'tollgate',
        version: subject.version,
        licenses: licensesOf(subject.license),
        hashes: [{ alg: 'SHA-256', content: subject.sha256 }],
        purl: own,
      },
    },
    components: parts.map(componentOf),
    dependencies: [
      { ref: own, dependsOn: knownOf(direct) },
      ...parts.map(({ ref, needs = [] }) => ({ ref, dependsOn: knownOf(needs) })),
    ],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** Describes a package of npm as a part. Packages with the same name and version are one part. */
export const partOf = (locked: LockedPackage, packages: readonly LockedPackage[]): SbomPart => ({
  ref: purlOf(locked),
  type: locked.name === 'bun' || locked.name.startsWith('@oven/') ? 'platform' : 'library',
  name: locked.name,
  version: locked.version,
  license: locked.license,
  hash: { alg: 'SHA-512', content: locked.sha512 },
  isOptional: locked.isOptional,
  needs: packages.filter(({ path }) => locked.needs.includes(path)).map(purlOf),
});

/** Returns the package URL of an npm package. */
export const purlOf = ({ name, version }: { name: string; version: string }): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

function componentOf({ ref, type, name, version, license, hash, isOptional }: SbomPart) {
  return {
    type,
    'bom-ref': ref,
    name,
    version,
    scope: isOptional ? 'optional' : 'required',
    ...(license !== undefined && { licenses: licensesOf(license) }),
    ...(hash && { hashes: [hash] }),
    purl: ref,
  };
}

/** A single licence has an SPDX id, and a choice of several is an SPDX expression. */
const licensesOf = (license: string) =>
  / (OR|AND|WITH) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }];

/** Makes a UUID of a text, so that the same file gets the same serial number in every build. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
