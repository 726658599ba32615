import packageFile from '../../../package.json' with { type: 'json' };
import { randomHex } from '../../base/tracing/random-hex.ts';
import { type AttributeValue, attributesOf } from './attributes.ts';
import { otlp } from './otlp-fields.ts';
import { bytesField, stringField, toBytes } from './protobuf.ts';

/** The attributes of this process beside those that the operator sets. */
const ownAttributes: Readonly<Record<string, AttributeValue>> = {
  'service.version': packageFile.version,
  'service.instance.id': randomHex(16),
  'telemetry.sdk.name': 'tollgate',
  'telemetry.sdk.language': 'nodejs',
  'telemetry.sdk.version': packageFile.version,
};

const { request, resource, scope, attributes, instrumentation } = otlp;

/** Wraps encoded spans or metrics in a request of their service. `items` are fields of ScopeSpans or ScopeMetrics. */
export function exportRequest(resourceText: string, items: string): Buffer<ArrayBuffer> {
  const scoped = bytesField(scope.scope, scopeText) + items;
  const resources = bytesField(resource.resource, resourceText) + bytesField(resource.scopes, scoped);
  return toBytes(bytesField(request.resources, resources));
}

const scopeText =
  stringField(instrumentation.name, 'tollgate') + stringField(instrumentation.version, packageFile.version);

export const encodeResource = (given: Readonly<Record<string, string>>): string =>
  attributesOf(attributes.attributes, { ...ownAttributes, ...given });
