import { isMetadataHost } from '../../base/lib/is-metadata-host.ts';
import { regionOfHost } from '../../base/lib/region-of-host.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { addressProblems } from './address-problems.ts';
import { type ProblemPath, problemIf } from './problem-if.ts';
import type { ProviderRow } from './provider-schema.ts';

/** The sections with the credentials of clouds. */
const CLOUDS = ['aws', 'azure', 'google'] as const;

/**
 * The wires whose requests can be forms, which are sent as a stream. A signature of AWS covers the whole
 * body.
 */
const FORM_WIRES: ReadonlySet<Wire> = new Set<Wire>(['openai-audio', 'openai-images']);

/** The wires of Vertex AI. */
const VERTEX_WIRES: ReadonlySet<Wire> = new Set<Wire>(['google-generate', 'anthropic-messages']);

/** Returns the problem of a field of the row as a list, which is empty if the field is right. */
type RowProblemIf = (isWrong: boolean, field: string[], message: string) => SchemaProblem[];

/** Finds fields of a provider that are missing, invalid together, or not supported by its protocol. */
export function providerProblems(row: ProviderRow, index: number): SchemaProblem[] {
  const place: ProblemPath = ['providers', index];
  const rowProblemIf: RowProblemIf = (isWrong, field, message) =>
    problemIf(isWrong, [...place, ...field], message);
  return [
    ...addressProblems(row.base_url, [...place, 'base_url']),
    ...wireProblems(row, rowProblemIf),
    ...credentialProblems(row, rowProblemIf),
    ...baseUrlProblems(row, rowProblemIf),
    ...authorizationProblems(row, rowProblemIf),
    ...awsProblems(row, rowProblemIf),
    ...googleProblems(row, rowProblemIf),
    ...probeProblems(row, rowProblemIf),
  ];
}

/** Returns the protocols of a row. `wire` and `wires` cannot be combined. */
const wiresOf = ({ wire, wires }: ProviderRow): readonly Wire[] => wires ?? (wire === null ? [] : [wire]);

const wireProblems = ({ wire, wires }: ProviderRow, rowProblemIf: RowProblemIf): SchemaProblem[] => [
  ...rowProblemIf(
    wire === null && wires === null,
    ['wire'],
    'is required (or `wires` for several protocols)',
  ),
  ...rowProblemIf(
    wire !== null && wires !== null,
    ['wires'],
    'cannot be combined with `wire`; use one of the two',
  ),
];

/** A provider has one kind of credential. */
function credentialProblems(row: ProviderRow, rowProblemIf: RowProblemIf): SchemaProblem[] {
  const [first, second = ''] = (['api_key', ...CLOUDS] as const).filter((name) => row[name]);
  return rowProblemIf(second !== '', [second], `cannot be combined with \`${first}\`; use one of the two`);
}

/** The answers of a metadata server are secrets, which only credentials may use. */
const baseUrlProblems = ({ base_url, google }: ProviderRow, rowProblemIf: RowProblemIf): SchemaProblem[] => [
  ...rowProblemIf(base_url === null && !google, ['base_url'], 'is required'),
  ...rowProblemIf(
    isMetadataHost(hostOf(base_url)),
    ['base_url'],
    'must not be the address of a metadata server',
  ),
];

const hostOf = (address: string | null): string => URL.parse(address ?? '')?.hostname ?? '';

/** The credentials of a cloud make the header `authorization`, so a row that sets one would have two. */
function authorizationProblems(row: ProviderRow, rowProblemIf: RowProblemIf): SchemaProblem[] {
  const cloud = CLOUDS.find((name) => row[name]);
  if (cloud === undefined) return [];
  const message = `cannot be combined with \`${cloud}\`, which sets the header authorization`;
  return [
    ...Object.keys(row.headers).flatMap((name) =>
      rowProblemIf(name.toLowerCase() === 'authorization', ['headers', name], message),
    ),
    ...rowProblemIf(row.key_header !== null, ['key_header'], message),
  ];
}

/** Hosts of Bedrock name the region. Each wire of Bedrock is signed alike. */
function awsProblems(row: ProviderRow, rowProblemIf: RowProblemIf): SchemaProblem[] {
  const { aws, base_url } = row;
  if (aws === null) return [];
  const formWire = wiresOf(row).find((wire) => FORM_WIRES.has(wire));
  return [
    ...rowProblemIf(formWire !== undefined, ['aws'], `cannot be combined with the wire ${formWire}`),
    ...rowProblemIf(
      (aws.access_key_id === null) !== (aws.secret_access_key === null),
      ['aws'],
      'needs both access_key_id and secret_access_key, or neither',
    ),
    ...rowProblemIf(
      aws.region === null && !regionOfHost(hostOf(base_url)),
      ['aws', 'region'],
      'is required, since base_url contains no region',
    ),
  ];
}

function googleProblems(row: ProviderRow, rowProblemIf: RowProblemIf): SchemaProblem[] {
  if (row.google === null) return [];
  return [
    ...rowProblemIf(
      wiresOf(row).some((wire) => !VERTEX_WIRES.has(wire)),
      ['google'],
      'is only for the wires google-generate and anthropic-messages',
    ),
    ...rowProblemIf(row.batch === 'native', ['batch'], 'must be none, since Vertex AI has no such batches'),
  ];
}

/** Bedrock lists its models at a different address, so a probe of this one proves nothing. */
const probeProblems = (row: ProviderRow, rowProblemIf: RowProblemIf): SchemaProblem[] =>
  rowProblemIf(
    row.probe !== null && wiresOf(row).includes('bedrock-converse'),
    ['probe'],
    'is not supported on the wire bedrock-converse',
  );
