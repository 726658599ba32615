import { version, versionDate } from '../../base/build/version.ts';
import { randomHex } from '../../base/tracing/random-hex.ts';
import { type AttributeValue, writeAttributes } from './attributes.ts';
import { otlp } from './otlp-fields.ts';
import { ProtobufWriter } from './protobuf-writer.ts';

/** The attributes of this process apart from those that the operator sets. */
const ownAttributes: Readonly<Record<string, AttributeValue>> = {
  'service.version': version,
  ...(versionDate && { 'tollgate.commit_date': versionDate }),
  'service.instance.id': randomHex(16),
  'telemetry.sdk.name': 'tollgate',
  'telemetry.sdk.language': 'nodejs',
  'telemetry.sdk.version': version,
};

const { request, resource, scope, attributes, instrumentation } = otlp;

/** Writes the requests of one signal. */
export class Envelope {
  readonly #writer = new ProtobufWriter();
  readonly #attributes: Readonly<Record<string, string>>;

  constructor(attributes: Readonly<Record<string, string>>) {
    this.#attributes = attributes;
  }

  /**
   * Returns a request, which is valid until the next one is written. `write` adds the spans or metrics, as
   * fields of ScopeSpans or ScopeMetrics.
   */
  seal(write: (writer: ProtobufWriter) => void): Uint8Array<ArrayBuffer> {
    const writer = this.#writer;
    const resources = writer.open(request.resources);
    const process = writer.open(resource.resource);
    writeAttributes(writer, attributes.attributes, { ...ownAttributes, ...this.#attributes });
    writer.close(process);
    const scopes = writer.open(resource.scopes);
    const library = writer.open(scope.scope);
    writer.stringField(instrumentation.name, 'tollgate');
    writer.stringField(instrumentation.version, version);
    writer.close(library);
    write(writer);
    writer.close(scopes);
    writer.close(resources);
    return writer.take();
  }
}
