import type { Environment } from '../../base/lib/environment.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { fillAddress } from './fill-address.ts';
import { type Host, hosts } from './hosts.ts';

/** The fields of a row that hold the credential of a cloud. */
const cloudFields = ['aws', 'azure', 'google'] as const;

/**
 * Returns the fields of a row, completed by the built-in host with the row's id: its wires, its address and
 * its differences from the protocol.
 */
export function withHostDefaults(fields: Fields, environment: Environment): Fields {
  const host = hosts.find(({ id }) => id === fields.id);
  if (!host) return fields;
  const hasWires = 'wire' in fields || 'wires' in fields;
  return {
    ...(!hasWires && { wires: host.wires }),
    quirks: host.quirks ?? [],
    refuses: host.refuses ?? [],
    // The address of Google's cloud is made from the project and the region of the credential.
    ...(host.cloud !== 'google' && addressFields(host, fields, environment)),
    ...fields,
  };
}

function addressFields(host: Host, fields: Fields, environment: Environment): Fields {
  const { region } = (fields.aws ?? {}) as { region?: string };
  const filled = fillAddress(host.baseUrl, region ? { ...environment, AWS_REGION: region } : environment);
  const hasCloudCredential = cloudFields.some((name) => fields[name]);
  return {
    ...('address' in filled && { base_url: filled.address }),
    // A credential of a cloud makes its own header.
    ...(host.keyHeader && !hasCloudCredential && { key_header: host.keyHeader }),
    query: queryOf(host, environment),
  };
}

/** Returns the parameters of the host's query. One whose variable is missing is left out. */
function queryOf(host: Host, environment: Environment): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, template] of Object.entries(host.query ?? {})) {
    const filled = fillAddress(template, environment);
    if ('address' in filled) query[name] = filled.address;
  }
  return query;
}
