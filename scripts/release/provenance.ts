import type { ReleaseCommit } from './release-commit.ts';
import type { ReleaseKey } from './release-key.ts';

/** A file of the release with its checksum. */
export type Artefact = { name: string; sha256: string };

/** A thing that the release was made from. */
export type Material = { name: string; digest: Record<string, string>; uri?: string };

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const BUILD_TYPE = 'urn:tollgate:release:1';
const LOCAL_BUILDER = 'urn:tollgate:local-builder';

/**
 * Formats the provenance of a release: an in-toto statement with the predicate SLSA Provenance v1, in a
 * signed DSSE envelope. It has no times, since two builds of a commit must be equal.
 */
export function formatProvenance(
  artefacts: readonly Artefact[],
  {
    version,
    commit,
    materials,
    key,
  }: { version: string; commit: ReleaseCommit; materials: readonly Material[]; key: ReleaseKey },
): string {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: artefacts.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { version, releaseKey: key.publicKey },
        internalParameters: {},
        resolvedDependencies: [sourceOf(commit), ...materials],
      },
      runDetails: { builder: { id: builderOf(process.env) } },
    },
  };
  const payload = Buffer.from(JSON.stringify(statement));
  const signature = key.sign(encodeForSignature(payload));
  const envelope = {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: key.publicKey, sig: signature.toString('base64') }],
  };
  return `${JSON.stringify(envelope)}\n`;
}

/** Encodes the text that DSSE signs: the type and the payload, each with its length. */
export const encodeForSignature = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `), payload]);

type Environment = Readonly<Record<string, string | undefined>>;

const repositoryOf = ({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }: Environment): string | undefined =>
  GITHUB_SERVER_URL && GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : undefined;

function sourceOf({ id }: ReleaseCommit): Material {
  const repository = repositoryOf(process.env);
  return {
    name: 'source',
    ...(repository !== undefined && { uri: `git+${repository}` }),
    digest: { gitCommit: id },
  };
}

/** On GitHub the builder is the workflow. */
function builderOf(environment: Environment): string {
  const { GITHUB_SERVER_URL, GITHUB_WORKFLOW_REF } = environment;
  return GITHUB_SERVER_URL && GITHUB_WORKFLOW_REF
    ? `${GITHUB_SERVER_URL}/${GITHUB_WORKFLOW_REF}`
    : LOCAL_BUILDER;
}
