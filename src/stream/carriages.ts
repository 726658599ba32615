import type { Wire } from '../canonical/wire.ts';
import type { Model } from '../catalog/model.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import type { EncodeTarget, ResponseHead, WireCodec } from '../protocols/codec.ts';
import type { Carriage, Dialect, InferenceRequest } from '../protocols/dialect.ts';
import { PACKED } from '../protocols/replay-token.ts';
import type { Target } from '../providers/target.ts';
import { sameWire } from './same-wire.ts';
import { translated } from './translated.ts';

export type CarriageParts = {
  exchange: Exchange;
  dialect: Dialect;
  request: InferenceRequest;
  model: Model;
  /** Of the answer. */
  id: string;
  wires: ReadonlyMap<Wire, WireCodec>;
  /** Unix seconds; now unless said. */
  createdAt?: number;
  /** One of the two ways alone. */
  only?: 'same-wire' | 'translated';
};

/** Chooses for each target how the request gets there: as it is, or translated. */
export function carriages(parts: CarriageParts): (target: Target) => Carriage | Refusal {
  const { exchange, dialect, request, model, id, only } = parts;
  let head: ResponseHead | Refusal | undefined;
  return (target) => {
    if (only !== 'translated' && target.wires.includes(dialect.wire) && !holdsForeignTokens(request)) {
      return sameWire(
        { dialect, request, label: { id, model: request.model }, style: exchange.style },
        encodeTarget(model, target),
      );
    }
    if (only === 'same-wire') return new Refusal('route_not_qualified');
    head ??= headOf(parts); // once, for however many targets
    return head instanceof Refusal ? head : translate(parts, head, target);
  };
}

/** Proof of another protocol's thinking, packed by us on an earlier turn: its own protocol's vendor would refuse it. */
const holdsForeignTokens = ({ body }: InferenceRequest): boolean => body.text.includes(PACKED);

const encodeTarget = (
  { capabilities, reasoningEfforts, maxOutput }: Model,
  { upstreamModel }: Target,
): EncodeTarget => ({
  upstreamModel,
  reasoning: capabilities.reasoning,
  reasoningEfforts,
  maxOutput: maxOutput ?? undefined,
});

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

function headOf({ dialect, request, id, createdAt = nowSeconds() }: CarriageParts): ResponseHead | Refusal {
  if (!dialect.codec) return new Refusal('route_not_qualified', { param: 'model' });
  const decoded = request.canonical ?? dialect.codec.decodeRequest(request.body);
  if (decoded instanceof Refusal) return decoded;
  return { responseId: id, model: request.model, createdAt, request: decoded, body: request.body };
}

function translate(
  { exchange, dialect, model, wires }: CarriageParts,
  head: ResponseHead,
  target: Target,
): Carriage | Refusal {
  const native = target.wires.includes(dialect.wire) ? dialect.wire : undefined;
  const wire = native ?? target.wires.find((candidate) => wires.has(candidate));
  if (!wire || !dialect.codec) return new Refusal('route_not_qualified', { param: 'model' });
  const carriage = translated({
    dialect: dialect.codec,
    codec: wires.get(wire)!,
    wire,
    head,
    target: encodeTarget(model, target),
  });
  if (carriage instanceof Refusal || carriage.losses.length === 0) return carriage;
  const { header } = exchange.snapshot.names;
  if (exchange.request.headers.get(header.strict) === 'true') {
    return new Refusal('route_not_qualified', {
      message: `The chosen model's provider cannot take the request as it is; it would lose: ${carriage.losses.join(', ')}.`,
    });
  }
  exchange.headers[header.translationLosses] = carriage.losses.join(', ');
  return carriage;
}
